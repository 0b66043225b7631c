<?php
function f(PDO $db) { $db->query('SELECT * FROM a'); }
