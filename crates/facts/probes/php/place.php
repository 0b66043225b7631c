<?php
// Where things happen: in the application, beside it, or in the probe itself.

namespace restage_facts;

final class Place
{
    /** The folder of the probe, with `/`. */
    public static string $probe = '';
    /** @var string[] The application's own folders, with `/`, the longest first. */
    private static array $roots = [];
    private const MOST_CALLERS = 32;
    /** @var array<string, ?string> */
    private static array $relative = [];

    /** @param string[] $roots */
    public static function set_roots(array $roots): void
    {
        foreach ($roots as $root) {
            self::$roots[] = \rtrim(\realpath($root) ?: $root, '/') . '/';
        }
        \usort(self::$roots, static fn ($a, $b) => \strlen($b) - \strlen($a));
    }

    /** @return string[] */
    public static function roots(): array
    {
        return self::$roots;
    }

    /** A file of the application, relative to its folder; null for one elsewhere, and for what Composer installed. */
    public static function relative(string $file): ?string
    {
        if (\array_key_exists($file, self::$relative)) {
            return self::$relative[$file];
        }
        // Code of `eval` counts where it was called.
        $path = \preg_replace('~\(\d+\) : (?:eval\(\)\'d code|runtime-created function).*$~s', '', $file);
        $found = null;
        foreach (self::$roots as $root) {
            if (\str_starts_with($path, $root)) {
                $found = \substr($path, \strlen($root));
                break;
            }
        }
        if ($found !== null && \preg_match('~^(.*?(?:^|/)vendor)/~', $found, $vendor)
            && SourceFiles::natively(static fn () => \is_dir($root . $vendor[1] . '/composer'))) {
            $found = null;
        }
        return self::$relative[$file] = $found;
    }

    public static function in_probe(string $file): bool
    {
        return \str_starts_with($file, self::$probe);
    }

    /**
     * Who called, in the application: `[file, line]`; in its own folders where that can be.
     *
     * @return array{?string, ?int}
     */
    public static function caller(): array
    {
        foreach (\debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS) as $frame) {
            $file = isset($frame['file']) ? self::relative($frame['file']) : null;
            if ($file !== null && !self::in_probe($frame['file'])) {
                return [$file, self::line($frame['file'], $frame['line'])];
            }
        }
        return [null, null];
    }

    /**
     * The lines of the application that led here, innermost first: `[[file, line], …]`.
     *
     * @return array<array{string, int}>
     */
    public static function callers(): array
    {
        $callers = [];
        foreach (\debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS) as $frame) {
            $file = isset($frame['file']) ? self::relative($frame['file']) : null;
            if ($file !== null && !self::in_probe($frame['file']) && \count($callers) < self::MOST_CALLERS) {
                $callers[] = [$file, self::line($frame['file'], $frame['line'])];
            }
        }
        return $callers;
    }

    /** The first frame that is not the probe's: `[file, line]`, in full. */
    public static function outside(): array
    {
        foreach (\debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS) as $frame) {
            if (isset($frame['file']) && !self::in_probe($frame['file'])) {
                return [$frame['file'], $frame['line']];
            }
        }
        return ['Unknown', 0];
    }

    /** Whether the line that calls a method makes use of what it returns; not so where the line begins by the call. */
    public static function takes_result(string $method): bool
    {
        [$file, $line] = self::outside();
        $source = SourceFiles::natively(static fn () => Errors::silently(static fn () => \file($file))[0]);
        return !\is_array($source) || !\preg_match('~^\s*(?:\$\w+|(?:self|static|\w+)::\$\w+)(?:->\w+(?:\(\))?)*->' . $method . '\s*\(~i', $source[$line - 1] ?? '');
    }

    /** The line of the file: of code of `eval`, where it was called. */
    public static function line(string $file, int $line): int
    {
        return \preg_match('~^[^(]*\((\d+)\) : ~', $file, $found) ? (int) $found[1] : $line;
    }
}
