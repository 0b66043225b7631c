<?php
mysqli_multi_query($l, 'DELETE FROM a; INSERT INTO b VALUES (1)');
