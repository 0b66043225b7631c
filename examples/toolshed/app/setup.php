<?php
// Makes the tables and what is in them, where there are none: php setup.php

require __DIR__ . '/lib.php';

$isMySql = str_starts_with(getenv('TOOLSHED_DSN') ?: 'sqlite:', 'mysql:');
if (!$isMySql && !getenv('TOOLSHED_DSN') && !is_dir(dirname(__DIR__) . '/data')) {
    mkdir(dirname(__DIR__) . '/data');
}
$id = $isMySql ? 'INTEGER PRIMARY KEY AUTO_INCREMENT' : 'INTEGER PRIMARY KEY AUTOINCREMENT';
$tables = [
    "CREATE TABLE member (id $id, name VARCHAR(60) NOT NULL, password VARCHAR(60) NOT NULL,
        role VARCHAR(20) NOT NULL, blocked INTEGER NOT NULL DEFAULT 0, phone VARCHAR(40), fees INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE tool (id $id, name VARCHAR(60) NOT NULL, kind VARCHAR(20) NOT NULL, state VARCHAR(20) NOT NULL, damage VARCHAR(200))",
    "CREATE TABLE loan (id $id, tool INTEGER NOT NULL, member INTEGER NOT NULL, days INTEGER NOT NULL,
        state VARCHAR(20) NOT NULL, handed_out VARCHAR(20), price INTEGER NOT NULL, extended INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE waiting (id $id, tool INTEGER NOT NULL, member INTEGER NOT NULL)",
    "CREATE TABLE notice (id $id, member INTEGER NOT NULL, body VARCHAR(200) NOT NULL, seen INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE note (id $id, tool INTEGER NOT NULL, member INTEGER NOT NULL, body VARCHAR(200) NOT NULL)",
];
try {
    db()->query('SELECT 1 FROM member');
    exit("the tables are there already\n");
} catch (PDOException) {
    array_map(fn ($table) => db()->exec($table), $tables);
}
foreach ([['mia', 'member'], ['ben', 'member'], ['kay', 'keeper'], ['zoe', 'member'], ['tom', 'member']] as [$name, $role]) {
    change('INSERT INTO member (name, password, role) VALUES (?, ?, ?)', [$name, "$name-secret", $role]);
}
foreach ([['Drill', 'power'], ['Ladder', 'hand'], ['Saw', 'hand'], ['Sander', 'power'], ['Mixer', 'power'], ['Hammer', 'hand'],
    ['Hedge trimmer', 'power'], ['Spade', 'hand'], ['Paint roller', 'hand']] as [$name, $kind]) {
    change('INSERT INTO tool (name, kind, state) VALUES (?, ?, ?)', [$name, $kind, 'there']);
}
echo "made\n";
