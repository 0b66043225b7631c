<?php
mysqli_query($db, "SELECT * FROM users");
