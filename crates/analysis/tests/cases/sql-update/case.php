<?php
mysqli_query($db, "UPDATE users SET a = 1 WHERE b = 2");
