<?php
foreach ($_SESSION as $k => $x) { echo $x; }
