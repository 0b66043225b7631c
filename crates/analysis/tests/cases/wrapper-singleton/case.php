<?php
class Db {
  private static $one;
  static function get(): Db { if (!self::$one) self::$one = new Db; return self::$one; }
  function q($s) { mysql_query($s); }
}
Db::get()->q('SELECT * FROM a');
