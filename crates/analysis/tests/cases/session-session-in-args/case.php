<?php
function f($x) { return 1; }
f($_SESSION['a']);
