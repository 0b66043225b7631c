<?php
// What runs for every request, also for those that no facts are wanted of: it must cost next to nothing.

namespace restage_facts;

/** Starts to watch, where the request is that of a step. */
function begin(): void
{
    $step = $_SERVER['HTTP_RESTAGE_STEP'] ?? '';
    $facts = (string) \get_cfg_var('restage.facts');
    if ($step === '' || $facts === '' || PHP_VERSION_ID < 80000 || \class_exists('restage_facts\Probe', false)) {
        return;
    }
    unset($_SERVER['HTTP_RESTAGE_STEP'], $_ENV['HTTP_RESTAGE_STEP']);
    try {
        require __DIR__ . '/probe.php';
        Probe::begin($step, $facts, (string) \get_cfg_var('restage.want'), (string) \get_cfg_var('restage.root'));
    } catch (\Throwable $problem) {
        // Without facts, then: the application goes on.
    }
}

/** The file that the application has PHP prepend. */
function prepend(): ?string
{
    $file = (string) \get_cfg_var('restage.prepend');
    return $file === '' || $file === 'none' || $file === __DIR__ . '/prepend.php' ? null : $file;
}

/**
 * The script of the request, where PHP has opened it already, so that its statements would not be seen.
 * PHP's own server opens it after what is prepended.
 */
function unwatched_script(): ?string
{
    static $script = false;
    if ($script === false) {
        $script = null;
        if (\class_exists('restage_facts\Probe', false) && \in_array(PHP_SAPI, ['fpm-fcgi', 'cgi-fcgi'], true)) {
            $file = (string) \realpath((string) ($_SERVER['SCRIPT_FILENAME'] ?? ''));
            $script = $file !== '' && SourceFiles::rewrites($file) ? $file : null;
        }
    }
    return $script;
}
