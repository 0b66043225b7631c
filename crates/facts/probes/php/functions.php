<?php
// What stands in place of functions that many applications call, whether they use a database or not.

namespace restage_facts;

function set_error_handler($callback, int $levels = E_ALL)
{
    if ($callback === null) {
        return Handler::original(\set_error_handler([Errors::class, 'handle']));
    }
    $callable = reachable($callback);
    if ($callable === null) {
        // PHP says what is wrong with it.
        return Errors::in_place(static fn () => \set_error_handler($callback, $levels));
    }
    $handler = new Handler($callable, $levels);
    $previous = Handler::original(\set_error_handler($handler));
    return $previous;
}

function set_exception_handler($callback)
{
    $callable = $callback === null ? null : reachable($callback);
    if ($callable === null) {
        $previous = Errors::in_place(static fn () => \set_exception_handler($callback));
    } else {
        $previous = \set_exception_handler(new ExceptionHandler($callable));
    }
    return $previous instanceof ExceptionHandler ? $previous->callback : $previous;
}

/** The application's handler of exceptions, behind ours. */
final class ExceptionHandler
{
    /** @var callable */
    public $callback;

    public function __construct(callable $callback)
    {
        $this->callback = $callback;
    }

    public function __invoke(\Throwable $problem): void
    {
        Errors::add_exception($problem);
        ($this->callback)($problem);
    }
}

/** A callback as it can be called from here: it may be private where it was named. */
function reachable(mixed $callback): ?callable
{
    if (\is_callable($callback)) {
        return $callback;
    }
    $class = null;
    if (\is_string($callback) && \preg_match('~^(?:self|static|parent)::(\w+)$~i', $callback, $found)) {
        $callback = [\debug_backtrace(0, 3)[2]['class'] ?? '', $found[1]];
    }
    if (!\is_array($callback) || !isset($callback[0], $callback[1]) || !\is_string($callback[1])) {
        return null;
    }
    try {
        $method = new \ReflectionMethod($callback[0], $callback[1]);
    } catch (\ReflectionException $missing) {
        return null;
    }
    return $method->getClosure(\is_object($callback[0]) ? $callback[0] : null);
}

function getallheaders()
{
    return without_ours(\getallheaders());
}

function apache_request_headers()
{
    return without_ours(\apache_request_headers());
}

function without_ours(array $headers): array
{
    return \array_filter($headers, static fn ($name) => \strcasecmp((string) $name, 'Restage-Step') !== 0, ARRAY_FILTER_USE_KEY);
}

function error_get_last()
{
    return Errors::last();
}

function debug_backtrace(int $options = DEBUG_BACKTRACE_PROVIDE_OBJECT, int $limit = 0)
{
    // The first is this function itself.
    $frames = Errors::without_ours(\array_slice(\debug_backtrace($options), 1));
    return $limit > 0 ? \array_slice($frames, 0, $limit) : $frames;
}

function get_included_files()
{
    return \array_values(\array_filter(\get_included_files(), static fn ($file) => !Place::in_probe($file)));
}

function get_required_files()
{
    return get_included_files();
}

function session_start(array $options = [])
{
    return Sessions::start($options, \func_num_args() > 0);
}

function session_write_close()
{
    Sessions::closing();
    return Errors::in_place(static fn () => \session_write_close());
}

function session_commit()
{
    Sessions::closing();
    return Errors::in_place(static fn () => \session_commit());
}

function session_destroy()
{
    $ended = Errors::in_place(static fn () => \session_destroy());
    if ($ended) {
        Sessions::ended();
    }
    return $ended;
}

function session_abort()
{
    Sessions::aborted();
    return Errors::in_place(static fn () => \session_abort());
}

function session_unset()
{
    return Errors::in_place(static fn () => \session_unset());
}

function session_reset()
{
    return Errors::in_place(static fn () => \session_reset());
}
