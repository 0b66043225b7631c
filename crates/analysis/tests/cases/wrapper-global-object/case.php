<?php
class Db { public $users = 'wp_users'; function get($q) { return mysql_query($q); } }
$db = new Db;
function f() {
  global $db;
  return $db->get("SELECT * FROM $db->users");
}
