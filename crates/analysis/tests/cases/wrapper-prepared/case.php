<?php
function run($sql, $params = array(), $log = true) {
  global $pdo;
  $s = $pdo->prepare($sql);
  $s->execute($params);
}
run('UPDATE a SET x = ?', array(1));
