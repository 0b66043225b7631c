<?php
mysqli_query($db, "/* users */ SELECT * FROM a -- FROM b");
