<?php
mysqli_query($db, "WITH x AS (SELECT * FROM a) SELECT * FROM x JOIN b");
