<?php
if ($_SESSION['level'] > 3) {
  log_in($_SESSION['user']);
}
