<?php
mysqli_query($db, "SELECT EXTRACT(YEAR FROM d) FROM a");
