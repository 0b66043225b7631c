<?php
mysqli_query($l, 'SELECT * FROM ' . $_GET['t']);
