<?php
function build(&$sql, $table) { $sql = "SELECT * FROM $table"; }
function run($table) { build($sql, $table); return mysql_query($sql); }
run("users");
