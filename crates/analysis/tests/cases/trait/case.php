<?php
trait Sends { function send($q) { return mysql_query($q); } }
class A { use Sends; function f() { $this->send('SELECT * FROM a'); } }
