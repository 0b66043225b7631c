<?php
class S {
  private $data;
  function open() {
    $this->data = &$_SESSION['s'];
    $this->data['x'] = 1;
  }
}
