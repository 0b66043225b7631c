<?php
mysqli_query($l, $_GET['what'] . ' FROM users');
