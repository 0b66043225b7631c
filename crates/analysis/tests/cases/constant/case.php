<?php
define('PREFIX', 'app_');
const T = PREFIX . 'users';
mysqli_query($l, 'SELECT * FROM ' . T);
mysqli_query($l, 'SELECT * FROM ' . PREFIX . 'log');
