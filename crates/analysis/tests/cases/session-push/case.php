<?php
$_SESSION['list'][] = 1;
