<?php
class D {
  private $join;
  function from($tables, $joins) { return frob($tables, $joins, $this->join); }
  function select($tables, $fields, $conditions, $options = [], $joins = []) {
    $from = ' FROM ' . $this->from($tables, $joins) . frob($options['USE INDEX']);
    return $this->query('SELECT ' . frob($fields) . $from);
  }
  function query($sql) { return mysql_query($sql); }
}
function rows(D $d) {
  $d->select('page', 'page_title', ['page_id' => 'seven'], ['ORDER BY' => 'page_id']);
  $d->select(['page', 'revision'], '*', [], [], ['revision' => ['JOIN', 'rev_page = page_id']]);
}
