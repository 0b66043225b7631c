<?php
foreach (array('a', 'b') as $k) {
  unset($_SESSION[$k]);
}
