<?php
function put($k, $x) { $_SESSION[$k] = $x; }
function get($k) { return $_SESSION[$k]; }
put('user', 1);
echo get('cart');
