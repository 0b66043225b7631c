<?php
class M { static $t = 'users'; }
mysqli_query($l, 'SELECT * FROM ' . M::$t);
