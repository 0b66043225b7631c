<?php
echo "Hello $_SESSION[user] {$_SESSION['x']['y']}";
