<?php
// Values as the protocol has them.

namespace restage_facts;

final class Values
{
    private const FLAGS = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE
        | JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION;
    private const LONGEST = 256;
    private const MOST = 5000;

    public static function json(mixed $value): string
    {
        return (string) \json_encode($value, self::FLAGS);
    }

    /**
     * A set of numbers as runs: `[[3, 9], 12]`.
     *
     * @param array<int, mixed> $set the numbers are its keys
     */
    public static function runs(array $set): array
    {
        \ksort($set);
        $runs = [];
        $first = $last = null;
        foreach ($set as $number => $_) {
            if ($last !== null && $number === $last + 1) {
                $last = $number;
                continue;
            }
            if ($first !== null) {
                $runs[] = $first === $last ? $first : [$first, $last];
            }
            $first = $last = $number;
        }
        if ($first !== null) {
            $runs[] = $first === $last ? $first : [$first, $last];
        }
        return $runs;
    }

    /** Nested values under joined names: `cart.17.count`. */
    public static function flatten(array $values): array
    {
        $flat = [];
        self::put($flat, '', $values, 0);
        return $flat;
    }

    /** A value that is bound to a statement. */
    public static function bound(mixed $value): mixed
    {
        if (\is_resource($value)) {
            return '#resource';
        }
        if (\is_object($value)) {
            return $value instanceof \Stringable ? self::short((string) $value) : self::hash($value);
        }
        if (\is_array($value)) {
            return \array_map([self::class, 'bound'], $value);
        }
        return \is_string($value) ? self::short($value) : $value;
    }

    private static function short(string $text): string
    {
        return \strlen($text) > 65536 ? self::hash($text) : $text;
    }

    private static function put(array &$flat, string $name, mixed $value, int $depth): void
    {
        if (\count($flat) >= self::MOST) {
            Probe::note('no more than ' . self::MOST . ' session values');
            return;
        }
        if (\is_array($value) && $value !== [] && $depth < 32) {
            foreach ($value as $key => $item) {
                self::put($flat, $name === '' ? (string) $key : "$name.$key", $item, $depth + 1);
            }
        } elseif ($name !== '') {
            $json = \is_scalar($value) || $value === null || $value === [] ? self::json($value) : null;
            $flat[$name] = $json !== null && \strlen($json) <= self::LONGEST ? $json : self::hash($value);
        }
    }

    /** A hash in place of a value that is long or an object: none of its methods are called. */
    private static function hash(mixed $value): string
    {
        $state = \hash_init('sha256');
        $seen = [];
        self::feed($state, $value, $seen, 0);
        return '#' . \substr(\hash_final($state), 0, 32);
    }

    private static function feed(\HashContext $state, mixed $value, array &$seen, int $depth): void
    {
        if (\is_object($value)) {
            \hash_update($state, 'O' . \preg_replace('~\0.*~s', '', \get_class($value)));
            // The order in which objects are met, not their ids, which differ between requests.
            $id = \spl_object_id($value);
            if (isset($seen[$id])) {
                \hash_update($state, 'R' . $seen[$id]);
                return;
            }
            $seen[$id] = \count($seen);
            if ($value instanceof \Closure) {
                return;
            }
            $value = $value instanceof \ArrayObject || $value instanceof \SplObjectStorage || $value instanceof \DateTimeInterface
                ? (array) $value + ($value instanceof \DateTimeInterface ? [$value->format('c u e')] : [])
                : \get_mangled_object_vars($value);
        }
        if (\is_array($value)) {
            \hash_update($state, 'A' . \count($value));
            if ($depth < 64) {
                foreach ($value as $key => $item) {
                    \hash_update($state, 'K' . $key . "\0");
                    self::feed($state, $item, $seen, $depth + 1);
                }
            }
            return;
        }
        \hash_update($state, \is_resource($value) ? 'resource' : \gettype($value) . (\is_scalar($value) ? \strlen((string) $value) . ':' . $value : ''));
    }
}
