<?php
include 'b.php';
$t = 'users';
