<?php
$k = $_GET['x'] ? 'a' : 'b';
$_SESSION[$k] = 1;
