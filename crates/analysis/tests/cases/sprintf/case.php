<?php
mysqli_query($l, sprintf('SELECT * FROM %s WHERE id = %d', 'users', $id));
