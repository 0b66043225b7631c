<?php
use Psr\Http\Message\ServerRequestInterface;
function rows(ServerRequestInterface $request) {
  $asked = $request->getQueryParams();
  return mysql_query('SELECT * FROM ' . $asked['table']);
}
