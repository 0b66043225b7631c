<?php
$p = new PDO('sqlite:x');
$p->query('SELECT * FROM a');
$p->exec('DELETE FROM b');
$s = $p->prepare('INSERT INTO c VALUES (?, :x)');
$s->execute([1]);
