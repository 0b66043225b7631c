<?php
$s = &$_SESSION['x'];
unset($s);
