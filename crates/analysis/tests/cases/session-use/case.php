<?php
echo $_SESSION['user'];
