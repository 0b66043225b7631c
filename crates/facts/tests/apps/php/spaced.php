<?php

namespace Shop\Own;

use PDO as Database;
use mysqli;

class PDO
{
    public function exec(string $text): string
    {
        return "not a database: $text\n";
    }
}

echo (new PDO())->exec('SELECT 0');
echo (new Database('sqlite::memory:'))->query('SELECT 5')->fetchColumn(), "\n";
echo (new class('sqlite::memory:') extends \PDO {
})->query('SELECT 6')->fetchColumn(), "\n";
function session_start(): string
{
    return "not a session\n";
}
