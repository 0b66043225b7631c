<?php
$_SESSION = array();
print_r($_SESSION);
