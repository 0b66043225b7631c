<?php
mysqli_query($db, "UPDATE a, b SET a.x = b.x WHERE a.i = b.i");
