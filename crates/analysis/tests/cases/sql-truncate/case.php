<?php
mysqli_query($l, 'TRUNCATE TABLE a');
mysqli_query($l, 'DROP TABLE IF EXISTS b, c');
