<?php
if ($_GET['x']) $q = 'SELECT * FROM a'; else $q = 'DELETE FROM b';
mysqli_query($l, $q);
