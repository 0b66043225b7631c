<?php
unset($_SESSION['user']);
