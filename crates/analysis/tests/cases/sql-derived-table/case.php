<?php
mysqli_query($db, "SELECT * FROM (SELECT * FROM a) AS x");
