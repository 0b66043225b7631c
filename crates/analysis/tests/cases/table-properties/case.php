<?php
class W {
  var $names = array('posts', 'users');
  function __construct($p) { foreach ($this->names as $n) $this->$n = $p . $n; }
  function f() { mysql_query("SELECT * FROM $this->posts"); mysql_query("DELETE FROM {$this->users}"); }
}
$w = new W('wp_');
