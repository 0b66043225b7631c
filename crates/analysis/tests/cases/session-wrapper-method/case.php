<?php
class Session {
  static function set($k, $x) { $_SESSION['app'][$k] = $x; }
  function get($k) { return isset($_SESSION[$k]) ? $_SESSION[$k] : null; }
}
Session::set('user', 1);
$s = new Session;
$s->get('lang');
