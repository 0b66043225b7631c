<?php
mysqli_query($db, "SELECT * FROM a WHERE i = 1 LOCK IN SHARE MODE");
