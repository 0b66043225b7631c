<?php
class Db { function run($q) { mysql_query($q); } }
/** @param Db $d The database */
function f($d) { $d->run('SELECT * FROM a'); }
