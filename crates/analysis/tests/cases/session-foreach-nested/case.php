<?php
foreach ($_SESSION['cart'] as $x) { echo $x; }
