<?php
$_SESSION['cart']['items'][5] = 1;
echo $_SESSION['cart']['total'];
