<?php
echo count($_SESSION['list']);
