<?php
function find($id, $table = "users") { return mysql_query("SELECT * FROM $table WHERE id = $id"); }
find(3);
find(4, "news");
