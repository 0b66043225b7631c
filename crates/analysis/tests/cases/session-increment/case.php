<?php
$_SESSION['n']++;
--$_SESSION['m'];
