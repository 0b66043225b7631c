<?php
foreach ($_SESSION['cart'] as &$x) {
  $x = 0;
}
