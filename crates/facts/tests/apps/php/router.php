<?php
require __DIR__ . '/lib.php';
echo total(3, 4), ' ', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH), "\n";
