<?php
$_SESSION['n'] += 1;
