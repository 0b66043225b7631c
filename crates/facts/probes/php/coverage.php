<?php
// Lines and branches that ran, by pcov or Xdebug.

namespace restage_facts;

final class Coverage
{
    private function __construct(private bool $xdebug, private bool $branches)
    {
    }

    /** Null where no driver is there. */
    public static function start(bool $branches): ?self
    {
        $xdebug = \function_exists('xdebug_info') && \in_array('coverage', (array) \xdebug_info('mode'), true);
        $pcov = \function_exists('pcov\start') && \ini_get('pcov.enabled');
        if ($branches && !$xdebug) {
            Probe::note(\function_exists('xdebug_info') ? 'no branches: Xdebug is not in its mode coverage' : 'no branches: Xdebug is not installed');
        }
        if ($xdebug && ($branches || !$pcov)) {
            \xdebug_set_filter(XDEBUG_FILTER_CODE_COVERAGE, XDEBUG_PATH_INCLUDE, Place::roots() ?: ['/']);
            if ($branches && ($limit = (int) \ini_get('max_execution_time')) > 0) {
                // Xdebug looks for the branches of each file as it is read, which takes longer than many a limit.
                \set_time_limit($limit * 40);
            }
            $coverage = new self(true, $branches);
            $coverage->go_on();
            return $coverage;
        }
        if ($pcov) {
            $coverage = new self(false, false);
            $coverage->go_on();
            return $coverage;
        }
        Probe::note('no lines: neither pcov nor Xdebug is installed');
        return null;
    }

    public function go_on(): void
    {
        if ($this->xdebug) {
            \xdebug_start_code_coverage(XDEBUG_CC_UNUSED | XDEBUG_CC_DEAD_CODE | ($this->branches ? XDEBUG_CC_BRANCH_CHECK : 0));
        } else {
            \pcov\start();
        }
    }

    /** Until it goes on: what was seen so far is kept. */
    public function pause(): void
    {
        if ($this->xdebug) {
            \xdebug_stop_code_coverage(false);
        } else {
            \pcov\stop();
        }
    }

    /** @return array{lines: array, branches: array, outlines: array} numbers are keys; outlines by full path */
    public function stop(): array
    {
        $ran = ['lines' => [], 'branches' => [], 'outlines' => []];
        $files = $this->xdebug ? $this->from_xdebug() : self::from_pcov();
        foreach ($files as $file => $found) {
            $relative = Place::relative($file);
            // Code of `eval` has lines of its own, which the file has not.
            if ($relative === null || \str_contains($file, "eval()'d code") || Place::in_probe($file)) {
                continue;
            }
            $branches = [];
            if ($this->branches) {
                [$branches, $taken] = self::branches($found['functions'] ?? []);
                if ($taken !== []) {
                    $ran['branches'][$relative] = $taken;
                }
            }
            $hit = $all = [];
            $last = SourceFiles::last_line($file);
            foreach ($this->branches ? $found['lines'] : $found as $line => $state) {
                // -2 is code that no way leads to.
                if ($state !== -2 && $line > 0 && $line <= $last) {
                    $all[$line] = true;
                    if ($state > 0) {
                        $hit[$line] = true;
                    }
                }
            }
            if ($hit !== []) {
                $ran['lines'][$relative] = $hit;
                $ran['outlines'][$file] = ['lines' => $all, 'branches' => $branches];
            }
        }
        return $ran;
    }

    private function from_xdebug(): array
    {
        $found = \xdebug_get_code_coverage();
        \xdebug_stop_code_coverage();
        return $found;
    }

    private static function from_pcov(): array
    {
        \pcov\stop();
        $files = \array_filter(\pcov\waiting(), static fn ($file) => Place::relative($file) !== null && !Place::in_probe($file));
        return $files === [] ? [] : \pcov\collect(\pcov\inclusive, \array_values($files));
    }

    /** The ways out of each place that has several; numbered in the order of the code, the same in every request. */
    private static function branches(array $functions): array
    {
        \ksort($functions);
        $branches = $taken = [];
        foreach ($functions as $function) {
            foreach ($function['branches'] as $from) {
                if (\count($from['out']) < 2) {
                    continue;
                }
                foreach ($from['out'] as $at => $out) {
                    $to = $function['branches'][$out]['line_start'] ?? null;
                    $branches[] = ['id' => \count($branches) + 1, 'from' => $from['line_end']] + ($to === null ? [] : ['to' => $to]);
                    if (!empty($from['out_hit'][$at])) {
                        $taken[\count($branches)] = true;
                    }
                }
            }
        }
        return [$branches, $taken];
    }
}
