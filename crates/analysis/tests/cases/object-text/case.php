<?php
class Name {
  public function __construct(private string $name) {}
  public function __toString(): string { return $this->name; }
}
function quoted($name) { return '`' . str_replace('`', '``', (string) $name) . '`'; }
$users = new Name('users');
mysql_query("SELECT * FROM $users");
mysql_query('DELETE FROM ' . quoted(new Name('old')));
mysql_query(sprintf('TRUNCATE %s', new Name('log')));
mysql_query('SELECT 1 FROM ' . implode(', ', [new Name('a'), new Name('b')]));
