<?php
function f() { mysql_query('SELECT * FROM ' . DB_PREFIX . 'users'); }
