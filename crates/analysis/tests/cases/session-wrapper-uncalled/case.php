<?php
function put($k) { $_SESSION[$k] = 1; }
