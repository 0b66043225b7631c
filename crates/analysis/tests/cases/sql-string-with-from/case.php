<?php
mysqli_query($db, "SELECT 'x FROM b' FROM a");
