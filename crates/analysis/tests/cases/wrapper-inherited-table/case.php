<?php
abstract class Model {
  protected $table;
  function all() { return mysql_query("SELECT * FROM {$this->table}"); }
}
class User extends Model { protected $table = 'users'; }
class Post extends Model { protected $table = 'posts'; }
$u = new User;
$u->all();
(new Post)->all();
