<?php
$_SESSION['log'] .= 'x';
