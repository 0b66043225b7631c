<?php
class Db {
  private $c;
  function connect() { $this->c = new mysqli('h'); }
  function q($s) { return $this->c->query($s); }
  function row($s) { return $this->q($s)->fetch_assoc(); }
}
$db = new Db;
$db->row('SELECT * FROM a');
