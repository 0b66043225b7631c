<?php
class M {
  private $table = 'users';
  function all($db) { return mysqli_query($db, "SELECT * FROM {$this->table}"); }
}
