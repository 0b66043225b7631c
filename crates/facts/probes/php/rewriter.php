<?php
// Source code whose calls of databases and sessions go by way of the probe. Names are put in place of names, in the
// same line, so that every line keeps its number.

namespace restage_facts;

final class Rewriter
{
    /** Rewritten files are kept; those of another version are not used. */
    public const VERSION = '2';

    private const CLASSES = [
        'pdo' => 'Pdo', 'pdostatement' => 'PdoStatement', 'mysqli' => 'Mysqli', 'mysqli_stmt' => 'MysqliStatement', 'sqlite3' => 'Sqlite3',
    ];
    private const FUNCTIONS = [
        'set_error_handler', 'set_exception_handler', 'getallheaders', 'apache_request_headers',
        'error_get_last', 'debug_backtrace', 'get_included_files', 'get_required_files',
        'session_start', 'session_write_close', 'session_commit', 'session_destroy', 'session_abort', 'session_unset', 'session_reset',
        'mysqli_connect', 'mysqli_init', 'mysqli_query', 'mysqli_real_query', 'mysqli_multi_query', 'mysqli_execute_query',
        'mysqli_prepare', 'mysqli_stmt_init', 'mysqli_stmt_prepare', 'mysqli_stmt_bind_param', 'mysqli_stmt_execute', 'mysqli_execute',
        'pg_query', 'pg_exec', 'pg_query_params', 'pg_prepare', 'pg_execute', 'pg_send_query', 'pg_send_query_params',
        'pg_send_prepare', 'pg_send_execute',
    ];

    /** Null where the file has to stay as it is. */
    public static function rewrite(string $source): ?string
    {
        $tokens = \token_get_all($source);
        foreach ($tokens as $token) {
            if ($token[0] === T_HALT_COMPILER) {
                return null;
            }
        }
        $functions = \array_flip(self::FUNCTIONS);
        // The tokens that mean something, by their places in `$tokens`.
        $places = [];
        foreach ($tokens as $at => $token) {
            if (!\is_array($token) || !\in_array($token[0], [T_WHITESPACE, T_COMMENT, T_DOC_COMMENT, T_INLINE_HTML], true)) {
                $places[] = $at;
            }
        }
        $kind = static fn (int $n) => isset($places[$n]) ? (\is_array($tokens[$places[$n]]) ? $tokens[$places[$n]][0] : $tokens[$places[$n]]) : null;
        $text = static fn (int $n) => \is_array($tokens[$places[$n]]) ? $tokens[$places[$n]][1] : $tokens[$places[$n]];
        $names = [T_STRING => 0, T_NAME_FULLY_QUALIFIED => 0, T_NAME_QUALIFIED => 0];
        $namespace = '';
        $imported = [];
        for ($n = 0, $count = \count($places); $n < $count; $n++) {
            if ($kind($n) === T_NAMESPACE && $kind($n + 1) !== T_NS_SEPARATOR) {
                $namespace = isset($names[$kind($n + 1)]) ? $text($n + 1) : '';
                $imported = [];
            } elseif ($kind($n) === T_USE && isset($names[$kind($n + 1)])) {
                $n = self::imports($n + 1, $kind, $text, $imported);
            } elseif (isset($names[$kind($n)])) {
                $name = $text($n);
                $before = $kind($n - 1);
                $new = null;
                if ($before === T_NEW || $before === T_EXTENDS) {
                    $class = self::global_name($name, $namespace, $imported);
                    $new = $class === null ? null : self::CLASSES[\strtolower($class)] ?? null;
                } elseif ($kind($n + 1) === '(' && !\in_array($before, [T_FUNCTION, T_OBJECT_OPERATOR, T_NULLSAFE_OBJECT_OPERATOR, T_DOUBLE_COLON], true)
                    && !($kind($n - 2) === T_FUNCTION && $text($n - 1) === '&')) {
                    // A name without a namespace is looked for in the global one, too.
                    $plain = \strtolower(\ltrim($name, '\\'));
                    $new = isset($functions[$plain]) && $kind($n) !== T_NAME_QUALIFIED ? $plain : null;
                }
                if ($new !== null) {
                    $tokens[$places[$n]] = '\restage_facts\\' . $new;
                }
            }
        }
        return \implode('', \array_map(static fn ($token) => \is_array($token) ? $token[1] : $token, $tokens));
    }

    /** Reads `use A\B as C, D;` and the like; the place of its last token. */
    private static function imports(int $n, callable $kind, callable $text, array &$imported): int
    {
        $name = $alias = '';
        for (; !\in_array($kind($n), [null, ';', T_CLOSE_TAG], true); $n++) {
            if ($kind($n) === '{') {
                // Of a group, and of traits in a class, nothing is global.
                while (!\in_array($kind($n), [null, '}', T_CLOSE_TAG], true)) {
                    $n++;
                }
                return $n;
            }
            if ($kind($n) === ',') {
                $imported[\strtolower($alias)] = $name;
            } elseif ($kind($n) === T_AS) {
                $alias = $text(++$n);
            } else {
                $name = \ltrim($text($n), '\\');
                $alias = \substr(\strrchr('\\' . $name, '\\'), 1);
            }
        }
        $imported[\strtolower($alias)] = $name;
        return $n;
    }

    /** The class that a name stands for, where that is a global one. */
    private static function global_name(string $name, string $namespace, array $imported): ?string
    {
        if ($name[0] === '\\') {
            $name = \substr($name, 1);
        } elseif (isset($imported[\strtolower($name)])) {
            $name = $imported[\strtolower($name)];
        } elseif ($namespace !== '') {
            return null;
        }
        return \str_contains($name, '\\') ? null : $name;
    }
}
