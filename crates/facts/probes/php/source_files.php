<?php
// PHP reads files through this stream wrapper while a step is watched: source files are served as the rewriter leaves
// them, all others as they are.

namespace restage_facts;

final class SourceFiles
{
    private const INCLUDE = 0x80;
    private const NAMES = '~\b(?:PDO|PDOStatement|mysqli\w*|SQLite3|pg_\w+|session_\w+|set_error_handler|set_exception_handler|getallheaders|apache_request_headers|error_get_last|debug_backtrace|get_included_files|get_required_files)\b~i';

    /** @var resource|null set by PHP */
    public $context;
    /** @var resource|null */
    private $file = null;
    /** @var resource|null */
    private $folder = null;
    /** The source, where it is one that is included. */
    private ?string $source = null;
    private int $at = 0;
    /** @var array|false */
    private $stat = false;

    /** How many calls are using PHP's own wrapper at the moment. */
    private static int $natively = 0;
    private static bool $watching = false;
    private static string $cache = '';
    /** Why the last call of a native function failed: the end of its message. */
    private static string $reason = '';
    /** @var array<string, int> how many lines the source files have that were served */
    private static array $lengths = [];
    /** @var array<string, string> code that is served in place of a file, once */
    private static array $served = [];

    public static function watch(string $cache): void
    {
        self::$cache = $cache;
        self::$watching = true;
        self::set_up();
    }

    private static function set_up(): void
    {
        \stream_wrapper_unregister('file');
        \stream_wrapper_register('file', self::class);
    }

    /** Runs with PHP's own wrapper for files. */
    public static function natively(callable $do): mixed
    {
        if (!self::$watching) {
            return $do();
        }
        if (self::$natively++ === 0) {
            \stream_wrapper_restore('file');
        }
        try {
            return $do();
        } finally {
            if (--self::$natively === 0) {
                self::set_up();
            }
        }
    }

    /** The closure that a piece of code makes, compiled as if it stood at that line of that file. */
    public static function at_line(string $file, int $line, string $code): \Closure
    {
        self::$served[$file] = '<?php' . \str_repeat("\n", \max(0, $line - 1)) . ' return ' . $code . ';';
        [$natively, self::$natively] = [self::$natively, 0];
        if ($natively > 0) {
            self::set_up();
        }
        try {
            return include $file;
        } finally {
            unset(self::$served[$file]);
            if ($natively > 0) {
                \stream_wrapper_restore('file');
            }
            self::$natively = $natively;
        }
    }

    /** What PHP would have said: it says of a failed call that a method of ours failed. */
    public static function plain_message(string $message): string
    {
        if (self::$reason === '' || !\str_contains($message, self::class . '::')) {
            return $message;
        }
        // Quotes are escaped where errors are shown as HTML.
        $call = '~(?:"|&quot;)' . \preg_quote(self::class, '~') . '::\w+(?:"|&quot;) call failed~';
        return \preg_replace_callback($call, static fn () => self::$reason, $message);
    }

    /** The last line of a file: PHP's compiler puts the end of a script on the line after it. */
    public static function last_line(string $file): int
    {
        return self::$lengths[$file] ?? PHP_INT_MAX;
    }

    public static function make_folder(string $folder): void
    {
        if (!\is_dir($folder)) {
            @\mkdir($folder, 0777, true);
        }
    }

    /** Whether a source file is served otherwise than it is. */
    public static function rewrites(string $path): bool
    {
        return self::$watching && self::natively(static function () use ($path): bool {
            $source = @\file_get_contents($path);
            return $source !== false && self::rewritten($path, $source) !== $source;
        });
    }

    /** The source as it is to run, from the cache where it is there. */
    private static function rewritten(string $path, string $source): string
    {
        if (!\preg_match(self::NAMES, $source)) {
            return $source;
        }
        $kept = self::$cache . '/' . \sha1(Rewriter::VERSION . $source) . '.php';
        $result = @\file_get_contents($kept);
        if ($result === false) {
            try {
                $result = Rewriter::rewrite($source);
            } catch (\Throwable $problem) {
                Probe::note("statements of a file are not seen: $path: " . $problem->getMessage());
                return $source;
            }
            if ($result === null) {
                Probe::note("statements of a file are not seen, because it holds data behind __halt_compiler: $path");
                $result = $source;
            }
            self::make_folder(self::$cache);
            $part = $kept . '.' . \getmypid() . '.' . \mt_rand();
            if (@\file_put_contents($part, $result) === \strlen($result)) {
                @\rename($part, $kept);
            }
        }
        foreach (['Pdo' => 'pdo.php', 'Mysqli' => 'mysqli.php', 'Sqlite3' => 'sqlite3.php'] as $name => $file) {
            if (\str_contains($result, '\restage_facts\\' . $name)) {
                require_once __DIR__ . '/' . $file;
            }
        }
        foreach (['mysqli' => 'mysqli.php', 'pg' => 'pgsql.php'] as $name => $file) {
            if (\str_contains($result, '\restage_facts\\' . $name . '_')) {
                require_once __DIR__ . '/' . $file;
            }
        }
        return $result;
    }

    /** Calls a native function for one of ours: what it says is kept as the reason, or said where the application called. */
    private static function call(bool $say, callable $native): mixed
    {
        if ($say) {
            return Errors::in_place(static fn () => self::natively($native));
        }
        [$result, $message] = Errors::silently(static fn () => self::natively($native));
        if ($message !== '') {
            self::$reason = \preg_replace('~^.*?: Failed to open (?:stream|directory): ~s', '', $message);
        }
        return $result;
    }

    public function stream_open(string $path, string $mode, int $options, ?string &$opened): bool
    {
        if ($options & self::INCLUDE) {
            return $this->open_source($path, $opened);
        }
        $context = $this->context;
        $use_path = (bool) ($options & STREAM_USE_PATH);
        $file = self::call(false, static fn () => $context === null ? \fopen($path, $mode, $use_path) : \fopen($path, $mode, $use_path, $context));
        if ($file === false) {
            return false;
        }
        $this->file = $file;
        if ($options & STREAM_USE_PATH) {
            $opened = \stream_get_meta_data($file)['uri'] ?? $path;
        }
        return true;
    }

    private function open_source(string $path, ?string &$opened): bool
    {
        if (isset(self::$served[$path])) {
            $this->source = self::$served[$path];
            unset(self::$served[$path]);
            $this->stat = ['size' => \strlen($this->source), 7 => \strlen($this->source)];
            $opened = $path;
            return true;
        }
        $file = self::call(false, static fn () => \fopen($path, 'rb'));
        if ($file === false) {
            return false;
        }
        $stat = \fstat($file);
        // Only ordinary files are read at once: a pipe might never end.
        if ($stat === false || ($stat['mode'] & 0170000) !== 0100000) {
            $this->file = $file;
            return true;
        }
        $source = self::call(false, static fn () => \stream_get_contents($file));
        \fclose($file);
        $this->source = Place::in_probe($path) ? $source : self::natively(static fn () => self::rewritten($path, $source));
        self::$lengths[$path] = \substr_count($source, "\n") + (\str_ends_with($source, "\n") ? 0 : 1);
        $stat['size'] = $stat[7] = \strlen($this->source);
        $this->stat = $stat;
        $opened = $path;
        return true;
    }

    public function stream_read(int $count): string|false
    {
        if ($this->source !== null) {
            $part = \substr($this->source, $this->at, $count);
            $this->at += \strlen($part);
            return $part;
        }
        return Errors::in_place(fn () => \fread($this->file, $count));
    }

    public function stream_eof(): bool
    {
        return $this->source !== null ? $this->at >= \strlen($this->source) : \feof($this->file);
    }

    public function stream_stat(): array|false
    {
        return $this->source !== null ? $this->stat : \fstat($this->file);
    }

    public function stream_seek(int $offset, int $whence): bool
    {
        if ($this->source !== null) {
            $this->at = $offset + [SEEK_SET => 0, SEEK_CUR => $this->at, SEEK_END => \strlen($this->source)][$whence];
            return true;
        }
        return \fseek($this->file, $offset, $whence) === 0;
    }

    public function stream_tell(): int
    {
        return $this->source !== null ? $this->at : (int) \ftell($this->file);
    }

    public function stream_write(string $data): int
    {
        return (int) Errors::in_place(fn () => \fwrite($this->file, $data));
    }

    public function stream_flush(): bool
    {
        return $this->file === null || \fflush($this->file);
    }

    public function stream_truncate(int $size): bool
    {
        return \ftruncate($this->file, $size);
    }

    public function stream_lock(int $operation): bool
    {
        // 0 asks whether files can be locked at all.
        return $operation === 0 || \flock($this->file, $operation);
    }

    public function stream_set_option(int $option, int $first, ?int $second): bool
    {
        if ($this->file === null) {
            return false;
        }
        return match ($option) {
            STREAM_OPTION_BLOCKING => \stream_set_blocking($this->file, (bool) $first),
            STREAM_OPTION_READ_TIMEOUT => \stream_set_timeout($this->file, $first, (int) $second),
            STREAM_OPTION_WRITE_BUFFER => \stream_set_write_buffer($this->file, (int) $second) === 0,
            STREAM_OPTION_READ_BUFFER => \stream_set_read_buffer($this->file, (int) $second) === 0,
            default => false,
        };
    }

    public function stream_cast(int $as)
    {
        return $this->file ?? false;
    }

    public function stream_close(): void
    {
        if ($this->file !== null) {
            \fclose($this->file);
        }
    }

    public function stream_metadata(string $path, int $option, mixed $value): bool
    {
        return self::call(true, static fn () => match ($option) {
            STREAM_META_TOUCH => \touch($path, ...$value),
            STREAM_META_OWNER, STREAM_META_OWNER_NAME => \chown($path, $value),
            STREAM_META_GROUP, STREAM_META_GROUP_NAME => \chgrp($path, $value),
            STREAM_META_ACCESS => \chmod($path, $value),
            default => false,
        });
    }

    public function url_stat(string $path, int $flags): array|false
    {
        // PHP itself says what it has to say of a file that is not there.
        return self::natively(static function () use ($path, $flags) {
            if ($flags & STREAM_URL_STAT_LINK) {
                return \is_link($path) || \file_exists($path) ? \lstat($path) : false;
            }
            return \file_exists($path) ? \stat($path) : false;
        });
    }

    public function unlink(string $path): bool
    {
        return self::call(true, fn () => $this->context === null ? \unlink($path) : \unlink($path, $this->context));
    }

    public function rename(string $from, string $to): bool
    {
        return self::call(true, fn () => $this->context === null ? \rename($from, $to) : \rename($from, $to, $this->context));
    }

    public function mkdir(string $path, int $mode, int $options): bool
    {
        return self::call(true, static fn () => \mkdir($path, $mode, (bool) ($options & STREAM_MKDIR_RECURSIVE)));
    }

    public function rmdir(string $path, int $options): bool
    {
        return self::call(true, static fn () => \rmdir($path));
    }

    public function dir_opendir(string $path, int $options): bool
    {
        $folder = self::call(false, static fn () => \opendir($path));
        if ($folder === false) {
            return false;
        }
        $this->folder = $folder;
        return true;
    }

    public function dir_readdir(): string|false
    {
        return \readdir($this->folder);
    }

    public function dir_rewinddir(): bool
    {
        \rewinddir($this->folder);
        return true;
    }

    public function dir_closedir(): bool
    {
        \closedir($this->folder);
        return true;
    }
}
