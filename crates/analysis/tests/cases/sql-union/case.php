<?php
mysqli_query($db, "(SELECT a FROM a) UNION ALL (SELECT b FROM b)");
