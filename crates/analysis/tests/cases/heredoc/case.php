<?php
mysqli_query($l, <<<SQL
  SELECT *
  FROM users
  WHERE id = $id
SQL
);
