<?php
namespace App;
use PDO as Connection;
function f(Connection $c) { $c->exec('DELETE FROM a'); \mysqli_query($c, 'SELECT * FROM b'); }
