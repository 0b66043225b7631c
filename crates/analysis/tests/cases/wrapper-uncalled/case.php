<?php
function run($q) { return mysql_query($q); }
