<?php
// Runs before the application's router script, which PHP's own server runs without prepending anything to it.
require_once __DIR__ . '/entry.php';
if (\restage_facts\prepend() !== null) {
    require \restage_facts\prepend();
}
\restage_facts\begin();
return require getenv('RESTAGE_FACTS_ROUTER');
