<?php
// The user's session before and after the request.

namespace restage_facts;

final class Sessions
{
    private static bool $wanted = false;
    private static bool $seen = false;
    /** Null where there was no session yet. */
    private static ?array $before = null;
    /** What was saved last; null where it was ended. */
    private static ?array $after = null;
    /** Whether the values may still change what will be saved. */
    private static bool $open = false;

    public static function watch(bool $wanted): void
    {
        self::$wanted = $wanted;
        if ($wanted && \session_status() === PHP_SESSION_ACTIVE) {
            self::opened(true);
        }
    }

    public static function start(array $options, bool $given): bool
    {
        $was_active = \session_status() === PHP_SESSION_ACTIVE;
        $started = Errors::in_place(static fn () => $given ? \session_start($options) : \session_start());
        if ($started && !$was_active) {
            self::opened(\session_status() === PHP_SESSION_ACTIVE);
        }
        return $started;
    }

    private static function opened(bool $open): void
    {
        if (!self::$wanted) {
            return;
        }
        if (!self::$seen) {
            self::$seen = true;
            // A session that is new has no values; whether one without values is new cannot be seen.
            self::$before = self::values() ?: null;
            self::$after = self::values();
        }
        self::$open = $open;
    }

    public static function closing(): void
    {
        if (self::$open && \session_status() === PHP_SESSION_ACTIVE) {
            self::$after = self::values();
            self::$open = false;
        }
    }

    public static function ended(): void
    {
        self::$after = null;
        self::$open = false;
    }

    public static function aborted(): void
    {
        self::$open = false;
    }

    public static function facts(): ?array
    {
        if (!self::$seen) {
            return null;
        }
        // PHP saves it after this, or has saved it at the end of the script.
        if (self::$open) {
            self::$after = self::values();
        }
        $facts = [];
        if (self::$before !== null) {
            $facts['before'] = (object) self::$before;
        }
        if (self::$after !== null) {
            $facts['after'] = (object) self::$after;
        }
        return $facts === [] ? null : $facts;
    }

    private static function values(): array
    {
        return isset($_SESSION) && \is_array($_SESSION) ? Values::flatten($_SESSION) : [];
    }
}
