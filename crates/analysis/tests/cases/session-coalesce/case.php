<?php
$x = $_SESSION['a'] ?? 1;
$_SESSION['b'] ??= 2;
