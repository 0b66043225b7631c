<?php
class A { function run($q) { mysql_query($q); } }
class B extends A { function run($q) { parent::run($q . ' LIMIT 1'); } }
$b = new B;
$b->run('SELECT * FROM a');
