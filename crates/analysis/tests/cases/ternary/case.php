<?php
mysqli_query($l, 'SELECT * FROM ' . ($x ? 'a' : 'b'));
