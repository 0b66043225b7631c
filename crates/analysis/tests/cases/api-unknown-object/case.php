<?php
function f($db) { $db->query('SELECT * FROM a'); }
