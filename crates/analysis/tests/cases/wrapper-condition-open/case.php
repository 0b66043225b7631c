<?php
function find($id) { return mysql_query("SELECT * FROM users WHERE id = " . strrev($id)); }
find(3);
find($_GET["id"]);
