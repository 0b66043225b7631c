<?php
// PDO with its statements kept. Arguments go on as they came, so that PHP itself says what is wrong with them.

namespace restage_facts;

class Pdo extends \PDO
{
    private bool $ours = false;

    #[\ReturnTypeWillChange]
    public function __construct(...$arguments)
    {
        Errors::in_place(fn () => parent::__construct(...$arguments));
        $options = $arguments[3] ?? $arguments['options'] ?? null;
        // PDO refuses it for connections that outlive the request.
        $this->ours = empty($options[\PDO::ATTR_PERSISTENT]) && !isset($options[\PDO::ATTR_STATEMENT_CLASS])
            && @parent::setAttribute(\PDO::ATTR_STATEMENT_CLASS, [PdoStatement::class]);
    }

    #[\ReturnTypeWillChange]
    public function setAttribute(...$arguments)
    {
        $set = Errors::in_place(fn () => parent::setAttribute(...$arguments));
        if ($set && ($arguments[0] ?? $arguments['attribute'] ?? null) === \PDO::ATTR_STATEMENT_CLASS) {
            $this->ours = false;
        }
        return $set;
    }

    #[\ReturnTypeWillChange]
    public function getAttribute(...$arguments)
    {
        $value = Errors::in_place(fn () => parent::getAttribute(...$arguments));
        return $this->ours && ($arguments[0] ?? null) === \PDO::ATTR_STATEMENT_CLASS ? [\PDOStatement::class] : $value;
    }

    #[\ReturnTypeWillChange]
    public function exec(...$arguments)
    {
        return Statements::send(self::text($arguments, 'statement'), [], fn () => parent::exec(...$arguments), static fn ($rows) => $rows, fn () => $this->why());
    }

    #[\ReturnTypeWillChange]
    public function query(...$arguments)
    {
        $kept = null;
        $statement = Statements::send(
            self::text($arguments, 'query'),
            [],
            fn () => parent::query(...$arguments),
            fn ($statement) => PdoStatement::known_rows($statement, $this->driver()),
            fn () => $this->why(),
            $kept
        );
        if ($statement instanceof PdoStatement) {
            $statement->keep($kept, $this->driver(), self::text($arguments, 'query'));
        }
        return $statement;
    }

    #[\ReturnTypeWillChange]
    public function prepare(...$arguments)
    {
        $statement = Errors::in_place(fn () => parent::prepare(...$arguments));
        if ($statement instanceof PdoStatement) {
            $statement->keep(null, $this->driver(), self::text($arguments, 'query'));
        }
        return $statement;
    }

    private static function text(array $arguments, string $name): string
    {
        $text = $arguments[0] ?? $arguments[$name] ?? '';
        return \is_scalar($text) || $text instanceof \Stringable ? (string) $text : '';
    }

    private function driver(): string
    {
        return (string) parent::getAttribute(\PDO::ATTR_DRIVER_NAME);
    }

    private function why(): string
    {
        return (string) (parent::errorInfo()[2] ?? 'failed');
    }
}

class PdoStatement extends \PDOStatement
{
    private ?Statement $restage_kept = null;
    private string $restage_driver = '';
    private string $restage_text = '';
    private array $restage_bound = [];
    private ?array $restage_callers = null;

    public function keep(?Statement $kept, string $driver, string $text): void
    {
        [$this->restage_kept, $this->restage_driver, $this->restage_text] = [$kept, $driver, $text];
        $this->restage_callers = Statements::callers();
    }

    /** How many rows a statement returned or changed, where the driver knows it before they are fetched. */
    public static function known_rows(\PDOStatement $statement, string $driver): ?int
    {
        if ($statement->columnCount() === 0) {
            return $statement->rowCount();
        }
        return $driver === 'sqlite' ? 0 : $statement->rowCount();
    }

    #[\ReturnTypeWillChange]
    public function execute(...$arguments)
    {
        $values = $arguments[0] ?? $arguments['params'] ?? null;
        $bound = \is_array($values) && $values !== [] ? $values : $this->restage_bound;
        if (!\is_array($values)) {
            \ksort($bound);
        }
        $text = $this->restage_text !== '' ? $this->restage_text : (string) $this->queryString;
        return Statements::send(
            $text,
            $bound,
            fn () => parent::execute(...$arguments),
            fn () => self::known_rows($this, $this->restage_driver),
            fn () => parent::errorInfo()[2] ?? 'failed',
            $this->restage_kept,
            $this->restage_callers
        );
    }

    #[\ReturnTypeWillChange]
    public function bindValue(...$arguments)
    {
        $this->restage_bound[$arguments[0] ?? $arguments['param'] ?? ''] = $arguments[1] ?? $arguments['value'] ?? null;
        return Errors::in_place(fn () => parent::bindValue(...$arguments));
    }

    #[\ReturnTypeWillChange]
    public function bindParam($param, &$var, ...$more)
    {
        $this->restage_bound[$param] = &$var;
        return Errors::in_place(function () use ($param, &$var, $more) {
            return parent::bindParam($param, $var, ...$more);
        });
    }

    #[\ReturnTypeWillChange]
    public function fetch(...$arguments)
    {
        $row = Errors::in_place(fn () => parent::fetch(...$arguments));
        return $this->counted($row, $row !== false ? 1 : 0);
    }

    #[\ReturnTypeWillChange]
    public function fetchColumn(...$arguments)
    {
        $value = Errors::in_place(fn () => parent::fetchColumn(...$arguments));
        return $this->counted($value, $value !== false ? 1 : 0);
    }

    #[\ReturnTypeWillChange]
    public function fetchObject(...$arguments)
    {
        $object = Errors::in_place(fn () => parent::fetchObject(...$arguments));
        return $this->counted($object, $object !== false ? 1 : 0);
    }

    #[\ReturnTypeWillChange]
    public function fetchAll(...$arguments)
    {
        $rows = Errors::in_place(fn () => parent::fetchAll(...$arguments));
        return $this->counted($rows, \is_array($rows) ? \count($rows) : 0);
    }

    public function getIterator(): \Iterator
    {
        foreach (parent::getIterator() as $key => $row) {
            $this->counted(null, 1);
            yield $key => $row;
        }
    }

    private function counted(mixed $result, int $rows): mixed
    {
        if ($rows > 0 && $this->restage_driver === 'sqlite' && $this->restage_kept !== null) {
            $this->restage_kept->fetched($rows);
        }
        return $result;
    }
}
