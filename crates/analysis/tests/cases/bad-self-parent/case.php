<?php
class A extends B { }
class B extends A { function f() { mysql_query('SELECT * FROM t'); } }
