<?php
mysqli_query($db, "INSERT INTO users (a) VALUES (1)");
