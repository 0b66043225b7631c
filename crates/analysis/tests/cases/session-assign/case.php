<?php
$_SESSION['user'] = 'ann';
