<?php
list($_SESSION['a'], $b) = f();
[$_SESSION['c']] = g();
