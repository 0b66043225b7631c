<?php
// PHP runs this before the application's script (`auto_prepend_file`), in its scope: so no variable is set here.
require_once __DIR__ . '/entry.php';
\restage_facts\begin();
if (\restage_facts\prepend() !== null) {
    require \restage_facts\prepend();
}
if (\restage_facts\unwatched_script() !== null) {
    try {
        require \restage_facts\unwatched_script();
    } catch (\Throwable $thrown) {
        throw \restage_facts\Errors::at_home($thrown);
    }
    if (ini_get('auto_append_file')) {
        require ini_get('auto_append_file');
    }
    exit;
}
