<?php
function f($x) { $x->query('//title'); }
