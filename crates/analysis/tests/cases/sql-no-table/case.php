<?php
mysqli_query($db, "SET NAMES utf8");
mysqli_query($db, "SELECT 1");
mysqli_query($db, "BEGIN");
