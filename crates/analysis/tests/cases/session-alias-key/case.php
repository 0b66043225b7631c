<?php
$s =& $_SESSION;
$s['user'] = 1;
echo $s['user']['name'];
