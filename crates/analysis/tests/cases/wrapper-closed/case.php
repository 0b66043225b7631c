<?php
function user($id) { return mysql_query("SELECT * FROM users WHERE id=$id"); }
user(1);
user(2);
