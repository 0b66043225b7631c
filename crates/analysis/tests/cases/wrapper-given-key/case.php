<?php
function find(array $options) { return mysql_query("SELECT * FROM " . $options["table"]); }
function all($table) { return find(["table" => $table, "limit" => 3]); }
all("users");
find(["table" => "news"]);
