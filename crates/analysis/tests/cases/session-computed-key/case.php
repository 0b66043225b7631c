<?php
$p = 'app_';
$_SESSION[$p . 'user'] = 1;
