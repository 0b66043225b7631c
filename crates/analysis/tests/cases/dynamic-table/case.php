<?php
$table = $_POST["table"];
mysql_query("SELECT * FROM `$table`");
mysql_query($_POST["sql"]);
