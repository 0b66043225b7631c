<?php
class Q {
  private $t = [];
  function from($t) { $this->t[] = $t; return $this; }
  function where($c) { $this->w[] = $c; return $this; }
  function get() { return mysql_query('SELECT * FROM ' . implode(', ', $this->t) . $this->w()); }
  function w() { return ' WHERE ' . implode(' AND ', $this->w); }
}
(new Q)->from('a')->where('x')->get();
$q = new Q;
$q->from('b');
$q->from('c');
$q->get();
