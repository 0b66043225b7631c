<?php
mysqli_query($db, "DELETE FROM a USING a JOIN b ON a.i = b.i");
