<?php
function run($q) { mysql_query($q); }
call_user_func('run', 'SELECT * FROM a');
call_user_func_array('run', ['SELECT * FROM b']);
