<?php
mysqli_query($db, "UPDATE a JOIN b ON a.i = b.i SET b.x = a.x");
