<?php
mysqli_query($db, "SELECT * FROM `my db`.`my table`");
