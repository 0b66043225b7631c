<?php
function filter($hook, $value, ...$args) {
  global $hooks;
  if (!isset($hooks[$hook])) return $value;
  return call_user_func_array($hooks[$hook], [$value]);
}
class Db {
  function query($sql) { $sql = filter("query", $sql); return mysql_query($sql); }
  function column($sql) { return $this->query($sql); }
}
$db = new Db;
function news() { global $db; return $db->column("SELECT id FROM news"); }
