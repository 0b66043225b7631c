<?php
// One request of a step: what is watched while it is answered, and the record that is written when it is done.

namespace restage_facts;

require __DIR__ . '/errors.php';
require __DIR__ . '/place.php';
require __DIR__ . '/values.php';
require __DIR__ . '/source_files.php';
require __DIR__ . '/rewriter.php';
require __DIR__ . '/functions.php';
require __DIR__ . '/sessions.php';
require __DIR__ . '/statements.php';

final class Probe
{
    /** The file to append to. */
    private static string $facts;
    private static string $step;
    /** @var array<string, true> */
    private static array $wanted = [];
    /** @var array<string, true> */
    private static array $notes = [];
    private static ?Coverage $coverage = null;
    private static bool $written = false;
    private static ?self $last = null;
    private static int $process = 0;

    public static function begin(string $step, string $facts, string $want, string $root): void
    {
        [self::$step, self::$facts, self::$process] = [$step, $facts, (int) \getmypid()];
        self::$wanted = \array_fill_keys(\array_filter(\explode(',', $want)), true);
        Place::$probe = __DIR__ . '/';
        Place::set_roots(\array_filter(\explode(':', $root)));
        // Destroyed after the application's own objects, whose destructors may still send statements.
        self::$last = new self();
        \register_shutdown_function([self::class, 'shut_down']);
        Errors::watch(self::wants('errors'));
        Sessions::watch(self::wants('session'));
        if (\function_exists('token_get_all')) {
            SourceFiles::watch($facts . '.seen');
        } else {
            self::note("no statements and session values: PHP's extension tokenizer is missing");
        }
        if (self::wants('lines') || self::wants('branches')) {
            require __DIR__ . '/coverage.php';
            self::$coverage = Coverage::start(self::wants('branches'));
        }
    }

    public static function wants(string $what): bool
    {
        return isset(self::$wanted[$what]);
    }

    /** Runs code that bears the name of a file of the application and is none of it. */
    public static function unwatched(callable $do): mixed
    {
        self::$coverage?->pause();
        try {
            return $do();
        } finally {
            self::$coverage?->go_on();
        }
    }

    /** What could not be seen, and why. */
    public static function note(string $text): void
    {
        if (\count(self::$notes) < 100) {
            self::$notes[$text] = true;
        }
    }

    /** The first of the shutdown functions; it makes itself the last, behind those of the application. */
    public static function shut_down(bool $again = false): void
    {
        if (!$again) {
            \register_shutdown_function([self::class, 'shut_down'], true);
            return;
        }
        // After a fatal error PHP destroys no objects.
        if (Errors::fatal()) {
            self::write();
        }
    }

    public function __destruct()
    {
        self::write();
    }

    private static function write(): void
    {
        // A child that the application forked is not the one that answers.
        if (self::$written || \getmypid() !== self::$process) {
            return;
        }
        self::$written = true;
        try {
            \ini_set('memory_limit', '-1');
            Errors::fatal();
            SourceFiles::natively(static function (): void {
                self::append(self::record());
            });
        } catch (\Throwable $problem) {
            // Nothing of it may reach the application.
        }
    }

    private static function record(): string
    {
        $record = ['v' => 1, 'step' => self::$step, 'runtime' => 'php ' . PHP_VERSION];
        $lines = '';
        if (self::$coverage !== null) {
            $ran = self::$coverage->stop();
            foreach (['lines', 'branches'] as $kind) {
                if (self::wants($kind) && $ran[$kind] !== []) {
                    $record[$kind] = (object) \array_map([Values::class, 'runs'], $ran[$kind]);
                }
            }
            $lines = self::outlines($ran['outlines']);
        }
        if (self::wants('session') && ($session = Sessions::facts()) !== null) {
            $record['session'] = $session;
        }
        if (self::wants('sql') && ($sql = Statements::facts()) !== []) {
            $record['sql'] = $sql;
        }
        if (self::wants('errors') && ($errors = Errors::facts()) !== []) {
            $record['errors'] = $errors;
        }
        if (self::$notes !== []) {
            $record['notes'] = \array_keys(self::$notes);
        }
        return $lines . Values::json($record) . "\n";
    }

    /** What is in files that no record has described yet. */
    private static function outlines(array $outlines): string
    {
        $lines = '';
        foreach ($outlines as $file => $outline) {
            $stat = @\stat($file);
            $mark = self::$facts . '.seen/' . \sha1(Values::json([$file, $stat['mtime'] ?? 0, $stat['size'] ?? 0, $outline['branches'] !== []]));
            if (\is_file($mark)) {
                continue;
            }
            require_once __DIR__ . '/outline.php';
            $lines .= Values::json(['v' => 1, 'file' => Place::relative($file)] + Outline::of($file, $outline)) . "\n";
            SourceFiles::make_folder(\dirname($mark));
            @\touch($mark);
        }
        return $lines;
    }

    private static function append(string $text): void
    {
        $file = @\fopen(self::$facts, 'ab');
        if ($file === false) {
            return;
        }
        \flock($file, LOCK_EX);
        while ($text !== '' && ($written = @\fwrite($file, $text)) !== false && $written > 0) {
            $text = \substr($text, $written);
        }
        \fflush($file);
        \flock($file, LOCK_UN);
        \fclose($file);
    }
}
