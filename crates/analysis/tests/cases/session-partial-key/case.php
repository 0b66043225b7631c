<?php
$_SESSION['sess_' . $_GET['t']] = 1;
