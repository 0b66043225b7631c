<?php
// SQLite3 with its statements kept. Statements and results cannot be made by others than SQLite3 itself, so those of
// ours hold one of its own and pass every call on.

namespace restage_facts;

class Sqlite3 extends \SQLite3
{
    #[\ReturnTypeWillChange]
    public function __construct(...$arguments)
    {
        Errors::in_place(fn () => parent::__construct(...$arguments));
    }

    #[\ReturnTypeWillChange]
    public function exec(...$arguments)
    {
        $before = self::total($this);
        return $this->send($arguments, fn () => parent::exec(...$arguments), fn () => self::total($this) - $before);
    }

    #[\ReturnTypeWillChange]
    public function query(...$arguments)
    {
        $before = self::total($this);
        $kept = null;
        // Where nothing takes the result, SQLite3 runs all statements of the text, and not only the first.
        $native = Place::takes_result('query') ? fn () => parent::query(...$arguments) : function () use ($arguments) {
            parent::query(...$arguments);
            return $this->lastErrorCode() === 0;
        };
        $result = $this->send($arguments, $native, fn () => self::total($this) - $before, $kept);
        return $result instanceof \SQLite3Result ? new Sqlite3Result($result, $kept) : $result;
    }

    #[\ReturnTypeWillChange]
    public function querySingle(...$arguments)
    {
        return $this->send($arguments, fn () => parent::querySingle(...$arguments), static fn ($value) => $value === null || $value === [] ? 0 : 1);
    }

    #[\ReturnTypeWillChange]
    public function prepare(...$arguments)
    {
        $statement = Errors::in_place(fn () => parent::prepare(...$arguments));
        return $statement instanceof \SQLite3Stmt ? new Sqlite3Statement($statement, (string) $arguments[0], $this) : $statement;
    }

    /** How many rows were changed on the connection so far: SELECT leaves it as it is. */
    public static function total(\SQLite3 $database): int
    {
        try {
            return (int) Errors::silently(static fn () => (new \ReflectionMethod(\SQLite3::class, 'querySingle'))->invoke($database, 'SELECT total_changes()'))[0];
        } catch (\Throwable $closed) {
            return 0;
        }
    }

    private function send(array $arguments, callable $native, callable $rows, ?Statement &$kept = null): mixed
    {
        return Statements::send((string) ($arguments[0] ?? $arguments['query'] ?? ''), [], $native, $rows, fn () => $this->lastErrorMsg(), $kept);
    }
}

class Sqlite3Statement extends \SQLite3Stmt
{
    private array $bound = [];
    private ?array $callers;

    public function __construct(private \SQLite3Stmt $statement, private string $text, private \SQLite3 $database)
    {
        $this->callers = Statements::callers();
    }

    #[\ReturnTypeWillChange]
    public function bindParam($param, &$var, ...$type)
    {
        $this->bound[$param] = &$var;
        return Errors::in_place(function () use ($param, &$var, $type) {
            return $this->statement->bindParam($param, $var, ...$type);
        });
    }

    #[\ReturnTypeWillChange]
    public function bindValue(...$arguments)
    {
        $this->bound[$arguments[0] ?? ''] = $arguments[1] ?? null;
        return Errors::in_place(fn () => $this->statement->bindValue(...$arguments));
    }

    #[\ReturnTypeWillChange]
    public function execute()
    {
        $before = Sqlite3::total($this->database);
        \ksort($this->bound);
        $kept = null;
        $result = Statements::send(
            $this->text,
            $this->bound,
            fn () => $this->statement->execute(),
            fn () => Sqlite3::total($this->database) - $before,
            fn () => $this->database->lastErrorMsg(),
            $kept,
            $this->callers
        );
        return $result instanceof \SQLite3Result ? new Sqlite3Result($result, $kept) : $result;
    }

    #[\ReturnTypeWillChange]
    public function clear()
    {
        $this->bound = [];
        return Errors::in_place(fn () => $this->statement->clear());
    }

    #[\ReturnTypeWillChange]
    public function close()
    {
        return Errors::in_place(fn () => $this->statement->close());
    }

    #[\ReturnTypeWillChange]
    public function reset()
    {
        return Errors::in_place(fn () => $this->statement->reset());
    }

    #[\ReturnTypeWillChange]
    public function paramCount()
    {
        return Errors::in_place(fn () => $this->statement->paramCount());
    }

    #[\ReturnTypeWillChange]
    public function readOnly()
    {
        return Errors::in_place(fn () => $this->statement->readOnly());
    }

    #[\ReturnTypeWillChange]
    public function getSQL(...$arguments)
    {
        return Errors::in_place(fn () => $this->statement->getSQL(...$arguments));
    }
}

class Sqlite3Result extends \SQLite3Result
{
    /** Rows are counted once, though the result may be read again. */
    private bool $counted = false;

    public function __construct(private \SQLite3Result $result, private ?Statement $kept)
    {
    }

    #[\ReturnTypeWillChange]
    public function fetchArray(...$arguments)
    {
        $row = Errors::in_place(fn () => $this->result->fetchArray(...$arguments));
        if ($row === false) {
            $this->counted = true;
        } elseif (!$this->counted && $this->kept !== null) {
            $this->kept->fetched();
        }
        return $row;
    }

    #[\ReturnTypeWillChange]
    public function reset()
    {
        $this->counted = true;
        return Errors::in_place(fn () => $this->result->reset());
    }

    #[\ReturnTypeWillChange]
    public function numColumns()
    {
        return Errors::in_place(fn () => $this->result->numColumns());
    }

    #[\ReturnTypeWillChange]
    public function columnName(...$arguments)
    {
        return Errors::in_place(fn () => $this->result->columnName(...$arguments));
    }

    #[\ReturnTypeWillChange]
    public function columnType(...$arguments)
    {
        return Errors::in_place(fn () => $this->result->columnType(...$arguments));
    }

    #[\ReturnTypeWillChange]
    public function finalize()
    {
        return Errors::in_place(fn () => $this->result->finalize());
    }
}
