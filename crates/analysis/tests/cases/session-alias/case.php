<?php
$s = &$_SESSION['x'];
$s = 1;
echo $s;
