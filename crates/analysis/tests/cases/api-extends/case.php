<?php
class Db extends PDO { }
$d = new Db('x');
$d->query('SELECT * FROM a');
