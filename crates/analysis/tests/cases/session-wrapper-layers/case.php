<?php
function a($k) { $_SESSION[$k] = 1; }
function b($k) { a('p_' . $k); }
function c($k) { b($k); }
c('x');
