<?php
// Statements that were sent to databases, in their order.

namespace restage_facts;

final class Statements
{
    private const MOST = 20000;

    /** @var Statement[] */
    private static array $sent = [];

    /**
     * Sends a statement by the native call, and keeps it with what came of it.
     *
     * @param callable $rows of the result: how many rows came or changed; null where that is not known
     * @param callable $error why the server refused it, where the call does not throw
     * @param ?array $callers what led to where its text was given, where that was before
     */
    public static function send(string $text, array $bound, callable $native, ?callable $rows = null, ?callable $error = null, ?Statement &$kept = null, ?array $callers = null): mixed
    {
        if (!Probe::wants('sql') || \count(self::$sent) >= self::MOST) {
            if (Probe::wants('sql')) {
                Probe::note('no more than ' . self::MOST . ' statements');
            }
            return Errors::in_place($native);
        }
        $kept = self::$sent[] = new Statement($text, $bound, Place::caller(), $callers ?? self::callers() ?? []);
        try {
            $result = Errors::in_place($native);
        } catch (\Throwable $problem) {
            $kept->error = $problem->getMessage();
            throw $problem;
        }
        try {
            [, $message] = Errors::silently(static function () use ($kept, $result, $rows, $error): void {
                if ($result === false) {
                    $kept->error = $error === null ? 'failed' : (string) $error();
                } elseif ($rows !== null) {
                    $kept->rows = $rows($result);
                }
            });
        } catch (\Throwable $unknown) {
            // How many rows is not known, then.
        }
        return $result;
    }

    /** What led to a statement, where that is asked for. */
    public static function callers(): ?array
    {
        return Probe::wants('callers') ? Place::callers() : null;
    }

    public static function facts(): array
    {
        return \array_map(static fn (Statement $statement) => $statement->fact(), self::$sent);
    }
}

final class Statement
{
    public ?int $rows = null;
    public ?string $error = null;

    public function __construct(private string $text, private array $bound, private array $place, private array $callers)
    {
    }

    /** A row was fetched of a result whose size the driver does not know before. */
    public function fetched(int $rows = 1): void
    {
        $this->rows = ($this->rows ?? 0) + $rows;
    }

    public function fact(): array
    {
        $fact = ['text' => $this->text];
        if ($this->bound !== []) {
            $fact['bound'] = \array_map([Values::class, 'bound'], \array_values($this->bound));
        }
        foreach (['rows' => $this->rows, 'error' => $this->error, 'file' => $this->place[0], 'line' => $this->place[1]] as $name => $value) {
            if ($value !== null) {
                $fact[$name] = $value;
            }
        }
        if ($this->callers !== []) {
            $fact['callers'] = $this->callers;
        }
        return $fact;
    }
}
