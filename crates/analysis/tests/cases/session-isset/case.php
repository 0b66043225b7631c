<?php
if (isset($_SESSION['a']) && !empty($_SESSION['b'])) echo 1;
