<?php
mysqli_query($db, "REPLACE INTO users VALUES (1)");
