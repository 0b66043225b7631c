<?php
class Result {
  private mysqli_result $rows;
  public function next() { return $this->rows->fetch_assoc(); }
}
function all(Result $tables) {
  $row = $tables->next();
  return mysql_query('SELECT * FROM ' . $row['name']);
}
