<?php
mysqli_query($l, sprintf('DELETE FROM %2$s WHERE id = %1$d', $id, 'users'));
