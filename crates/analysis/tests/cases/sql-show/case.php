<?php
mysqli_query($db, "SHOW COLUMNS FROM a LIKE 'x'");
mysqli_query($db, "DESCRIBE b");
