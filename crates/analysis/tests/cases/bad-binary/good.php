<?php
$_SESSION['a'] = 1;
