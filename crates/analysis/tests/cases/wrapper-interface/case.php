<?php
interface Store { function run($q); }
class My implements Store { function run($q) { mysql_query($q); } }
function f(Store $s) { $s->run('SELECT * FROM a'); }
