<?php
$s = $_SESSION;
$s['a'] = 1;
