<?php
class Db { static function run($q) { return self::send($q); } private static function send($q) { return mysql_query($q); } }
Db::run('DELETE FROM a');
