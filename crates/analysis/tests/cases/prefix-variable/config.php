<?php
$prefix = 'tc_';
