<?php
function rows() {
  $settings = ['table' => ''];
  include '/etc/shop/settings.php';
  return mysql_query('SELECT * FROM ' . $settings['table']);
}
