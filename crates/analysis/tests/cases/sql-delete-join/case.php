<?php
mysqli_query($db, "DELETE x FROM a AS x JOIN b ON x.i = b.i");
