<?php
// Errors and warnings of the language, seen beside the application's own handlers, and reported where the
// application would have reported them.

namespace restage_facts;

final class Errors
{
    private const TYPES = [
        E_ERROR => 'Fatal error', E_PARSE => 'Parse error', E_CORE_ERROR => 'Core error', E_COMPILE_ERROR => 'Compile error',
        E_RECOVERABLE_ERROR => 'Recoverable error', E_USER_ERROR => 'User error', E_WARNING => 'Warning',
        E_CORE_WARNING => 'Core warning', E_COMPILE_WARNING => 'Compile warning', E_USER_WARNING => 'User warning',
        E_NOTICE => 'Notice', E_USER_NOTICE => 'User notice', E_STRICT => 'Strict', E_DEPRECATED => 'Deprecated',
        E_USER_DEPRECATED => 'User deprecated',
    ];
    private const ENDS = E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_RECOVERABLE_ERROR | E_USER_ERROR;
    private const MOST = 500;

    private static bool $wanted = false;
    /** @var array<string, array> by type and location */
    private static array $facts = [];
    /** Where messages go that the probe's own calls cause; null while there are none. */
    private static ?array $caught = null;
    private static bool $repeating = false;
    /** What was told in another's place last: `[message, level]`. */
    private static array $told = ['', 0];

    public static function watch(bool $wanted): void
    {
        self::$wanted = $wanted;
        \set_error_handler([self::class, 'handle']);
    }

    public static function facts(): array
    {
        return \array_values(self::$facts);
    }

    /** Runs while no handler but ours is set: the answer `false` has PHP do what it does without any. */
    public static function handle(int $level, string $message, string $file = '', int $line = 0): bool
    {
        return self::meet($level, $message, $file, $line, null);
    }

    /** What is done with a message: it is caught, told to the application's handler, or left to PHP. */
    public static function meet(int $level, string $message, string $file, int $line, ?Handler $handler): bool
    {
        if (self::$repeating) {
            return false;
        }
        // Code of the application may run below a call of ours: what it says is its own.
        if (Place::in_probe($file)) {
            if (self::$caught !== null) {
                self::$caught[] = [$level, $message];
            }
            return true;
        }
        $plain = SourceFiles::plain_message($message);
        if ($plain !== $message) {
            self::emit($level, $plain, $file, $line, $handler);
            return true;
        }
        self::add($level, $message, $file, $line);
        return $handler !== null && $handler->tell($level, $message, $file, $line);
    }

    /** Runs native code of which the messages belong to the application's line. */
    public static function in_place(callable $native): mixed
    {
        [$caught, self::$caught] = [self::$caught, []];
        try {
            return $native();
        } catch (\Throwable $problem) {
            throw self::at_home($problem);
        } finally {
            [$messages, self::$caught] = [self::$caught, $caught];
            if ($messages !== []) {
                [$file, $line] = Place::outside();
                $handler = Handler::current();
                foreach ($messages as [$level, $message]) {
                    self::emit($level, $message, $file, $line, $handler);
                }
            }
        }
    }

    /** Runs the probe's own code, whose messages are nobody's. @return array{mixed, string} the result and the last message */
    public static function silently(callable $own): array
    {
        [$caught, self::$caught] = [self::$caught, []];
        try {
            $result = $own();
            $last = \end(self::$caught);
        } finally {
            self::$caught = $caught;
        }
        return [$result, $last === false ? '' : $last[1]];
    }

    /** Tells of a message as if PHP had come upon it at that line. */
    private static function emit(int $level, string $message, string $file, int $line, ?Handler $handler): void
    {
        self::add($level, $message, $file, $line);
        if ($handler !== null && $handler->tell($level, $message, $file, $line)) {
            return;
        }
        // The level is that of a user's message, which is reported by the same word; the mask is made to suit it.
        $users = [E_WARNING => E_USER_WARNING, E_NOTICE => E_USER_NOTICE, E_DEPRECATED => E_USER_DEPRECATED][$level] ?? $level;
        self::$told = [$message, $level];
        $mask = \error_reporting();
        \error_reporting($mask & $level ? $mask | $users : $mask & ~$users);
        self::$repeating = true;
        try {
            Probe::unwatched(static function () use ($file, $line, $message, $users): void {
                SourceFiles::at_line($file, $line, 'static function ($m, $l) { \trigger_error($m, $l); }')($message, $users);
            });
        } finally {
            self::$repeating = false;
            \error_reporting($mask);
        }
    }

    public static function add(int $level, string $message, string $file, int $line): void
    {
        if (!self::$wanted || !(\error_reporting() & $level)) {
            return;
        }
        self::put(self::TYPES[$level] ?? "Error $level", $message, $file, $line);
    }

    public static function add_exception(\Throwable $problem): void
    {
        if (self::$wanted) {
            self::put(\preg_replace('~\0.*~s', '', \get_class($problem)), $problem->getMessage(), $problem->getFile(), $problem->getLine());
        }
    }

    private static function put(string $type, string $message, string $file, int $line): void
    {
        if (\count(self::$facts) < self::MOST) {
            $relative = Place::relative($file);
            $place = $relative === null ? ['file' => $file, 'line' => $line] : ['file' => $relative, 'line' => Place::line($file, $line)];
            self::$facts["$type\0$file\0$line"] ??= ['type' => $type, 'message' => \substr($message, 0, 4096)] + $place;
        }
    }

    /** The last error, of the level that PHP would have given it. */
    public static function last(): ?array
    {
        $last = \error_get_last();
        if ($last !== null && $last['message'] === self::$told[0]) {
            $last['type'] = self::$told[1];
        }
        return $last;
    }

    /** Whether the script ended by an error, which is then kept. */
    public static function fatal(): bool
    {
        $error = \error_get_last();
        if ($error === null || !($error['type'] & self::ENDS)) {
            return false;
        }
        if (self::$wanted) {
            $known = \preg_match('~^Uncaught (?:exception )?\'?([\w\\\\]+)\'?(?:: | in )(.*?)(?: in \S+:\d+)?(?:\nStack trace:.*)?$~s', $error['message'], $found);
            self::put($known ? $found[1] : self::TYPES[$error['type']], $known ? $found[2] : $error['message'], $error['file'], $error['line']);
        }
        return true;
    }

    /** Frames of a backtrace, each of ours joined with the one that led to it. */
    public static function without_ours(array $frames): array
    {
        $kept = [];
        for ($at = 0, $count = \count($frames); $at < $count; $at++) {
            $called = $frames[$at];
            while (isset($frames[$at]['file']) && Place::in_probe($frames[$at]['file']) && $at + 1 < $count) {
                $at++;
            }
            if (isset($frames[$at]['file']) && Place::in_probe($frames[$at]['file'])) {
                // The script itself, which the probe includes under php-fpm.
                break;
            }
            $place = \array_intersect_key($frames[$at], ['file' => 0, 'line' => 0]);
            $kept[] = $place + \array_diff_key($called, ['file' => 0, 'line' => 0]);
        }
        return $kept;
    }

    /** The exception as it would be without the probe: thrown where the application called, without our frames. */
    public static function at_home(\Throwable $problem): \Throwable
    {
        $frames = $problem->getTrace();
        $class = $problem instanceof \Error ? \Error::class : \Exception::class;
        $set = static function (string $name, mixed $value) use ($class, $problem): void {
            $property = new \ReflectionProperty($class, $name);
            $property->setAccessible(true);
            $property->setValue($problem, $value);
        };
        if (Place::in_probe($problem->getFile())) {
            foreach ($frames as $frame) {
                if (isset($frame['file']) && !Place::in_probe($frame['file'])) {
                    $set('file', $frame['file']);
                    $set('line', $frame['line']);
                    break;
                }
            }
        }
        $kept = self::without_ours($frames);
        if ($kept !== $frames) {
            $set('trace', $kept);
        }
        return $problem;
    }
}

/** The application's error handler, behind ours. */
final class Handler
{
    /** @var callable */
    public $callback;

    public function __construct(callable $callback, private int $levels)
    {
        $this->callback = $callback;
    }

    public function __invoke(int $level, string $message, string $file = '', int $line = 0): bool
    {
        return Errors::meet($level, $message, $file, $line, $this);
    }

    /** Whether the application's handler took it. PHP takes every answer but `false` for a yes. */
    public function tell(int $level, string $message, string $file, int $line): bool
    {
        if (!($this->levels & $level)) {
            return false;
        }
        // PHP sets no handler while one runs.
        \set_error_handler(null);
        try {
            return ($this->callback)($level, $message, $file, $line) !== false;
        } catch (\Throwable $problem) {
            throw Errors::at_home($problem);
        } finally {
            \restore_error_handler();
        }
    }

    /** The one that is set now; null where it is ours or none. */
    public static function current(): ?self
    {
        $current = \set_error_handler(null);
        \restore_error_handler();
        if ($current !== null && !$current instanceof self && $current !== [Errors::class, 'handle']) {
            return new self($current, E_ALL);
        }
        return $current instanceof self ? $current : null;
    }

    /** What the application would get for the handler that was set before. */
    public static function original(mixed $handler): mixed
    {
        if ($handler instanceof self) {
            return $handler->callback;
        }
        return $handler === [Errors::class, 'handle'] ? null : $handler;
    }
}
