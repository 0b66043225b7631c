<?php
class A { const X = B::Y; }
class B { const Y = A::X; }
mysql_query('SELECT * FROM ' . A::X);
