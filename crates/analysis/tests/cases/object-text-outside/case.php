<?php
class Name {
  private $name;
  private function __construct($name) { $this->name = $name; }
  public static function of($name): self { return new self($name); }
  public function __toString(): string { return $this->name; }
}
class Feature {
  /** @var Name */
  public $table;
  public function __construct(Name $table) { $this->table = $table; }
}
class Features {
  private ?Feature $marks;
  public function __construct(array $asked) { $this->marks = new Feature(Name::of($asked['marks'])); }
  public function all() { return mysql_query('SELECT * FROM ' . $this->marks->table); }
}
function features() { return new Features($_COOKIE); }
