<?php
class Db {
  function insert($table, $row) {
    $f = '`' . implode('`, `', array_keys($row)) . '`';
    mysqli_query($this->c, "INSERT INTO `$table` ($f) VALUES (" . implode(',', $row) . ')');
  }
}
function f(Db $d) { $d->insert('orders', ['a' => 1]); }
