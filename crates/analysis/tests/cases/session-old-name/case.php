<?php
$HTTP_SESSION_VARS['user'] = 1;
