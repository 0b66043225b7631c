<?php
mysqli_query($db, "SELECT * FROM a WHERE i IN (SELECT i FROM b) AND EXISTS (SELECT 1 FROM c)");
