<?php
foreach (['a', 'b'] as $t) {
  mysql_query("TRUNCATE TABLE $t");
}
