<?php
define('KEY', 'user');
const OTHER = 'cart';
$_SESSION[KEY] = 1;
echo $_SESSION[OTHER];
