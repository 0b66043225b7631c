<?php
class Lister {
  private $table;
  public function choose($table) { $this->table = trim($table); }
  public function rows() { return mysql_query('SELECT * FROM ' . $this->table); }
}
class Form {
  private Lister $lister;
  public function show($asked) { $this->lister->choose($asked); }
}
function page(Form $form) { $form->show($_GET['table']); }
