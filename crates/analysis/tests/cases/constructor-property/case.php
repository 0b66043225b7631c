<?php
class Db {
  function __construct($prefix) { $this->p = $prefix; }
  function all() { return mysql_query('SELECT * FROM ' . $this->p . 'a'); }
}
$d = new Db('x_');
