<?php
session_start();
session_id('abc');
echo session_id();
session_unset();
session_destroy();
