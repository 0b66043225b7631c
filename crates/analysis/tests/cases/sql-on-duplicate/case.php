<?php
mysqli_query($db, "INSERT INTO a (x) VALUES (1) ON DUPLICATE KEY UPDATE x = x + 1");
