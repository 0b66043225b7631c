<?php
function run($q) { return mysql_query(str_replace('#__', 'jos_', $q)); }
run('SELECT * FROM #__users');
