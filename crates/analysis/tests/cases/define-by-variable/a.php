<?php
define('DB_PREFIX', 'w_');
