<?php
mysql_query('SELECT * FROM a');
