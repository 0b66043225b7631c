<?php
class M {
  const T = 'users';
  function a($l) { mysqli_query($l, 'DELETE FROM ' . self::T); }
}
