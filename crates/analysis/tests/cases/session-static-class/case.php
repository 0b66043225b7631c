<?php
$f = function () { $_SESSION['x'] = 1; };
$f();
