<?php
function drop($t) { mysql_query("DELETE FROM $t"); }
array_map('drop', ['a', 'b']);
