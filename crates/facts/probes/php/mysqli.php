<?php
// mysqli with its statements kept, by objects and by functions. Arguments go on as they came, so that PHP itself says
// what is wrong with them.

namespace restage_facts;

class Mysqli extends \mysqli
{
    #[\ReturnTypeWillChange]
    public function __construct(...$arguments)
    {
        Errors::in_place(fn () => parent::__construct(...$arguments));
    }

    /** What a query returned or changed. */
    public static function rows(\mysqli $link, mixed $result): ?int
    {
        if ($result instanceof \mysqli_result) {
            // Of rows that are fetched one by one the number is known at the end.
            return $result->type === MYSQLI_STORE_RESULT ? (int) $result->num_rows : null;
        }
        return $link->affected_rows >= 0 ? (int) $link->affected_rows : null;
    }

    public static function send(mixed $link, mixed $text, callable $native, array $bound = []): mixed
    {
        $text = \is_scalar($text) || $text instanceof \Stringable ? (string) $text : '';
        return Statements::send($text, $bound, $native, static fn ($result) => self::rows($link, $result), static fn () => $link->error);
    }

    #[\ReturnTypeWillChange]
    public function query(...$arguments)
    {
        return self::send($this, $arguments[0] ?? $arguments['query'] ?? '', fn () => parent::query(...$arguments));
    }

    #[\ReturnTypeWillChange]
    public function real_query(...$arguments)
    {
        $text = $arguments[0] ?? $arguments['query'] ?? '';
        return Statements::send((string) $text, [], fn () => parent::real_query(...$arguments), null, fn () => $this->error);
    }

    #[\ReturnTypeWillChange]
    public function multi_query(...$arguments)
    {
        $text = $arguments[0] ?? $arguments['query'] ?? '';
        return Statements::send((string) $text, [], fn () => parent::multi_query(...$arguments), null, fn () => $this->error);
    }

    public function execute_query(...$arguments): \mysqli_result|bool
    {
        $bound = $arguments[1] ?? $arguments['params'] ?? [];
        return self::send($this, $arguments[0] ?? $arguments['query'] ?? '', fn () => parent::execute_query(...$arguments), \is_array($bound) ? $bound : []);
    }

    #[\ReturnTypeWillChange]
    public function prepare(...$arguments)
    {
        return self::prepared($this, $arguments[0] ?? $arguments['query'] ?? '', fn () => parent::prepare(...$arguments));
    }

    #[\ReturnTypeWillChange]
    public function stmt_init()
    {
        return new MysqliStatement($this);
    }

    /** A statement of ours; where the server refuses it, what PHP's own call does then. */
    public static function prepared(\mysqli $link, mixed $text, callable $native): mixed
    {
        $statement = null;
        try {
            [$done] = Errors::silently(static function () use ($link, $text, &$statement) {
                $statement = new MysqliStatement($link);
                return $statement->prepare((string) $text);
            });
        } catch (\Throwable $problem) {
            $done = false;
        }
        if ($done) {
            return $statement;
        }
        return Errors::in_place($native);
    }
}

class MysqliStatement extends \mysqli_stmt
{
    private string $restage_text = '';
    private \mysqli $restage_link;
    private array $restage_bound = [];
    private ?array $restage_callers = null;

    #[\ReturnTypeWillChange]
    public function __construct(...$arguments)
    {
        $text = $arguments[1] ?? $arguments['query'] ?? null;
        $this->restage_text = (string) $text;
        $this->restage_callers = Statements::callers();
        Errors::in_place(fn () => parent::__construct(...$arguments));
    }

    #[\ReturnTypeWillChange]
    public function prepare(...$arguments)
    {
        $this->restage_text = (string) ($arguments[0] ?? $arguments['query'] ?? '');
        $this->restage_bound = [];
        $this->restage_callers = Statements::callers();
        return Errors::in_place(fn () => parent::prepare(...$arguments));
    }

    #[\ReturnTypeWillChange]
    public function bind_param($types, &...$values)
    {
        $this->restage_bound = [];
        foreach ($values as $at => &$value) {
            $this->restage_bound[$at] = &$value;
        }
        unset($value);
        return Errors::in_place(function () use ($types, &$values) {
            return parent::bind_param($types, ...$values);
        });
    }

    #[\ReturnTypeWillChange]
    public function execute(...$arguments)
    {
        $values = $arguments[0] ?? $arguments['params'] ?? null;
        return Statements::send(
            $this->restage_text,
            \is_array($values) ? $values : $this->restage_bound,
            fn () => parent::execute(...$arguments),
            fn () => $this->affected_rows >= 0 ? (int) $this->affected_rows : null,
            fn () => $this->error,
            callers: $this->restage_callers
        );
    }

    #[\ReturnTypeWillChange]
    public function store_result()
    {
        return Errors::in_place(fn () => parent::store_result());
    }
}

function mysqli_connect(...$arguments)
{
    try {
        $link = Errors::in_place(static function () use ($arguments) {
            // As the constructor, but that it answers `false` where the report mode has it not throw.
            $link = new Mysqli();
            return @$link->real_connect(...$arguments) ? $link : null;
        });
    } catch (\Throwable $problem) {
        $link = null;
    }
    // PHP's own call fails as it fails without the probe.
    return $link ?? Errors::in_place(static fn () => \mysqli_connect(...$arguments));
}

function mysqli_init()
{
    return new Mysqli();
}

function mysqli_query(...$arguments)
{
    $link = $arguments[0] ?? $arguments['mysql'] ?? null;
    return Mysqli::send($link, $arguments[1] ?? $arguments['query'] ?? '', static fn () => \mysqli_query(...$arguments));
}

function mysqli_real_query(...$arguments)
{
    return Statements::send((string) ($arguments[1] ?? ''), [], static fn () => \mysqli_real_query(...$arguments), null, static fn () => $arguments[0]->error);
}

function mysqli_multi_query(...$arguments)
{
    return Statements::send((string) ($arguments[1] ?? ''), [], static fn () => \mysqli_multi_query(...$arguments), null, static fn () => $arguments[0]->error);
}

function mysqli_execute_query(...$arguments)
{
    return Mysqli::send($arguments[0] ?? null, $arguments[1] ?? '', static fn () => \mysqli_execute_query(...$arguments), (array) ($arguments[2] ?? []));
}

function mysqli_prepare(...$arguments)
{
    $link = $arguments[0] ?? null;
    $native = static fn () => \mysqli_prepare(...$arguments);
    return $link instanceof \mysqli ? Mysqli::prepared($link, $arguments[1] ?? '', $native) : Errors::in_place($native);
}

function mysqli_stmt_init(...$arguments)
{
    $link = $arguments[0] ?? null;
    return $link instanceof \mysqli ? new MysqliStatement($link) : Errors::in_place(static fn () => \mysqli_stmt_init(...$arguments));
}

function mysqli_stmt_prepare(...$arguments)
{
    $statement = $arguments[0] ?? null;
    return $statement instanceof MysqliStatement ? $statement->prepare(...\array_slice($arguments, 1))
        : Errors::in_place(static fn () => \mysqli_stmt_prepare(...$arguments));
}

function mysqli_stmt_bind_param($statement, $types, &...$values)
{
    if ($statement instanceof MysqliStatement) {
        return $statement->bind_param($types, ...$values);
    }
    return Errors::in_place(static function () use ($statement, $types, &$values) {
        return \mysqli_stmt_bind_param($statement, $types, ...$values);
    });
}

function mysqli_stmt_execute(...$arguments)
{
    $statement = $arguments[0] ?? null;
    return $statement instanceof MysqliStatement ? $statement->execute(...\array_slice($arguments, 1))
        : Errors::in_place(static fn () => \mysqli_stmt_execute(...$arguments));
}

function mysqli_execute(...$arguments)
{
    return mysqli_stmt_execute(...$arguments);
}
