<?php
function clear(&$x) {
  $x = null;
}
clear($_SESSION['a']);
