<?php
namespace App;
session_start();
$_SESSION['a'] = 1;
