<?php
mysqli_query($db, "DELETE FROM users WHERE a = 1");
