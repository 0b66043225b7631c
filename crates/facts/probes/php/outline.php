<?php
// What is in a source file: lines that can run, as the coverage's driver knows them, and functions.

namespace restage_facts;

final class Outline
{
    public static function of(string $file, array $found): array
    {
        $source = (string) @\file_get_contents($file);
        $outline = ['digest' => \hash('sha256', $source), 'lines' => Values::runs($found['lines'])];
        $functions = \function_exists('token_get_all') ? self::functions($source) : [];
        if ($functions !== []) {
            $outline['functions'] = $functions;
        }
        if ($found['branches'] !== []) {
            $outline['branches'] = $found['branches'];
        }
        return $outline;
    }

    /** Functions and methods with a name and a body, in the order of the file. */
    private static function functions(string $source): array
    {
        $functions = [];
        // What the braces that are open belong to: a class's name, the place of a function in `$functions`, or null.
        $open = [];
        $classes = [];
        $next = null;
        $line = 1;
        $before = null;
        $waits = null;
        foreach (\token_get_all($source) as $token) {
            [$kind, $text] = \is_array($token) ? [$token[0], $token[1]] : [$token, $token];
            $line = \is_array($token) ? $token[2] : $line;
            if (\in_array($kind, [T_WHITESPACE, T_COMMENT, T_DOC_COMMENT], true)) {
                $line += \substr_count($text, "\n");
                continue;
            }
            if ($waits !== null) {
                if ($kind === T_STRING || $waits[0] === 'function' && \preg_match('~^\w+$~', $text)) {
                    $name = $waits[0] === 'function' && \end($classes) ? \end($classes) . '::' . $text : $text;
                    $next = [$waits[0], $name, $waits[1]];
                    $waits = null;
                } elseif ($kind === '(' || $kind === '{' || $kind === T_EXTENDS || $kind === T_IMPLEMENTS) {
                    // Without a name: a closure, or a class.
                    $next = $waits[0] === 'class' ? ['class', 'class@anonymous', $waits[1]] : null;
                    $waits = null;
                }
            }
            $enum = \defined('T_ENUM') ? \constant('T_ENUM') : -1;
            if ($kind === T_FUNCTION && $before !== T_USE) {
                $waits = ['function', $line];
            } elseif (\in_array($kind, [T_CLASS, T_TRAIT, T_INTERFACE, $enum], true) && $before !== T_DOUBLE_COLON) {
                $waits = ['class', $line];
            } elseif ($kind === '{' || $kind === T_CURLY_OPEN || $kind === T_DOLLAR_OPEN_CURLY_BRACES) {
                if ($next !== null && $kind === '{') {
                    if ($next[0] === 'class') {
                        $classes[] = $next[1];
                        $open[] = 'class';
                    } else {
                        // Functions in methods are not the class's.
                        $classes[] = null;
                        $functions[] = ['name' => $next[1], 'first' => $next[2], 'last' => $next[2]];
                        $open[] = \count($functions) - 1;
                    }
                    $next = null;
                } else {
                    $open[] = null;
                }
            } elseif ($kind === '}') {
                $closed = \array_pop($open);
                if ($closed !== null) {
                    \array_pop($classes);
                    if ($closed !== 'class') {
                        $functions[$closed]['last'] = $line;
                    }
                }
            } elseif ($kind === ';') {
                // Declared without a body.
                $next = null;
            }
            $line += \substr_count($text, "\n");
            $before = $kind;
        }
        return $functions;
    }
}
