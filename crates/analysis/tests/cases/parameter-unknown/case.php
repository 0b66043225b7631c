<?php
class Lister {
  private $table;
  public function choose($table) { $this->table = trim($table); }
  public function rows() { return mysql_query('SELECT * FROM ' . $this->table); }
}
