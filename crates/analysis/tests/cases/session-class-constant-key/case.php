<?php
class K { const USER = 'u' . 'id'; }
$_SESSION[K::USER] = 1;
