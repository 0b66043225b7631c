<?php
$_SESSION[$_GET['k']] = 1;
