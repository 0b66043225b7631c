<?php
array_push($_SESSION['list'], 1);
