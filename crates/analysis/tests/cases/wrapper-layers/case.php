<?php
function a($q) { return mysql_query($q); }
function b($q) { return a($q . ' LIMIT 1'); }
function c($q, $p = 1) { if (!$p) die(); return b($q); }
function d($q) { return c(trim($q)); }
d('SELECT * FROM t');
