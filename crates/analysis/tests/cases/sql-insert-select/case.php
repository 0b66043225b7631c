<?php
mysqli_query($db, "INSERT INTO a (x) SELECT x FROM b WHERE y = 1");
