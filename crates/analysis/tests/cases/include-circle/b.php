<?php
include 'a.php';
mysql_query("SELECT * FROM $t");
