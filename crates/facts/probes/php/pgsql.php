<?php
// The functions of PostgreSQL with their statements kept. Prepared statements are known by name and connection.

namespace restage_facts;

final class Postgres
{
    /** @var array<string, array{string, ?array}> Texts, and what led to where they were prepared. */
    private static array $prepared = [];

    /** The connection may be left out: then it is the last that was opened. @return array{mixed, array} */
    public static function split(array $arguments): array
    {
        $named = $arguments['connection'] ?? null;
        if ($named !== null || isset($arguments['query'])) {
            unset($arguments['connection']);
            return [$named, \array_values($arguments)];
        }
        $first = $arguments[0] ?? null;
        return \is_resource($first) || \is_object($first) && !$first instanceof \Stringable ? [$first, \array_slice($arguments, 1)] : [null, $arguments];
    }

    public static function send(mixed $connection, string $text, array $bound, callable $native, ?array $callers = null): mixed
    {
        return Statements::send(
            $text,
            $bound,
            $native,
            static fn ($result) => $result === true ? null : (\pg_num_fields($result) > 0 ? \pg_num_rows($result) : \pg_affected_rows($result)),
            static fn () => \trim($connection === null ? \pg_last_error() : \pg_last_error($connection)),
            callers: $callers
        );
    }

    public static function prepare(mixed $connection, string $name, string $text): void
    {
        self::$prepared[self::key($connection, $name)] = [$text, Statements::callers()];
    }

    public static function execute(mixed $connection, string $name, array $bound, callable $native): mixed
    {
        [$text, $callers] = self::$prepared[self::key($connection, $name)] ?? ["EXECUTE $name", null];
        return self::send($connection, $text, $bound, $native, $callers);
    }

    private static function key(mixed $connection, string $name): string
    {
        $id = \is_object($connection) ? \spl_object_id($connection) : (\is_resource($connection) ? \get_resource_id($connection) : '');
        return $id . "\0" . $name;
    }
}

function pg_query(...$arguments)
{
    [$connection, $rest] = Postgres::split($arguments);
    return Postgres::send($connection, (string) ($rest[0] ?? ''), [], static fn () => \pg_query(...$arguments));
}

function pg_exec(...$arguments)
{
    return pg_query(...$arguments);
}

function pg_query_params(...$arguments)
{
    [$connection, $rest] = Postgres::split($arguments);
    return Postgres::send($connection, (string) ($rest[0] ?? ''), (array) ($rest[1] ?? []), static fn () => \pg_query_params(...$arguments));
}

function pg_prepare(...$arguments)
{
    [$connection, $rest] = Postgres::split($arguments);
    Postgres::prepare($connection, (string) ($rest[0] ?? ''), (string) ($rest[1] ?? ''));
    return Errors::in_place(static fn () => \pg_prepare(...$arguments));
}

function pg_execute(...$arguments)
{
    [$connection, $rest] = Postgres::split($arguments);
    return Postgres::execute($connection, (string) ($rest[0] ?? ''), (array) ($rest[1] ?? []), static fn () => \pg_execute(...$arguments));
}

function pg_send_query(...$arguments)
{
    return Postgres::send($arguments[0] ?? null, (string) ($arguments[1] ?? ''), [], static fn () => \pg_send_query(...$arguments));
}

function pg_send_query_params(...$arguments)
{
    return Postgres::send($arguments[0] ?? null, (string) ($arguments[1] ?? ''), (array) ($arguments[2] ?? []), static fn () => \pg_send_query_params(...$arguments));
}

function pg_send_prepare(...$arguments)
{
    Postgres::prepare($arguments[0] ?? null, (string) ($arguments[1] ?? ''), (string) ($arguments[2] ?? ''));
    return Errors::in_place(static fn () => \pg_send_prepare(...$arguments));
}

function pg_send_execute(...$arguments)
{
    return Postgres::execute($arguments[0] ?? null, (string) ($arguments[1] ?? ''), (array) ($arguments[2] ?? []), static fn () => \pg_send_execute(...$arguments));
}
