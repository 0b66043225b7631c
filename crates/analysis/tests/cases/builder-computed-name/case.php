<?php
class D {
  function name($t) { return preg_quote(strrev(md5($t))) . ''; }
  function select($t) { return mysql_query('SELECT * FROM ' . frob($t)); }
}
$d = new D;
$d->select('page');
