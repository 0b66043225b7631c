<?php
ob_start();
session_start();
$db = new PDO('sqlite::memory:');
switch ($_GET['case']) {
    case 'exit':
        $_SESSION['left'] = 'early';
        $db->exec('CREATE TABLE a (b)');
        exit('gone');
    case 'fatal':
        echo 'before';
        no_such_function();
    case 'memory':
        ini_set('memory_limit', '16M');
        $all = [];
        while (true) {
            $all[] = str_repeat('x', 100000);
        }
    case 'closed':
        $_SESSION['kept'] = 1;
        session_write_close();
        $_SESSION['lost'] = 2;
        break;
    case 'destroyed':
        $_SESSION = [];
        session_destroy();
        break;
    case 'renewed':
        $_SESSION['kept'] = 2;
        session_regenerate_id(true);
        break;
    case 'fiber':
        $fiber = new Fiber(function () use ($db) {
            $got = Fiber::suspend($db->query('SELECT 1')->fetchColumn());
            echo $got, $db->query('SELECT 2')->fetchColumn();
        });
        echo $fiber->start();
        $fiber->resume('x');
        break;
    case 'handler':
        set_error_handler(function ($level, $message, $file, $line) {
            echo basename($file), ':', $line, ' ', $message, ' ', count(debug_backtrace()), "\n";
            return true;
        });
        echo $nothing;
        var_dump(set_error_handler(null) instanceof Closure);
        echo 1 / 0;
    case 'buffers':
        ob_start(fn ($text) => strtoupper($text));
        echo 'deep';
        header('X-Case: buffers');
        break;
    case 'eval':
        eval('echo $missing;');
        break;
    case 'shutdown':
        register_shutdown_function(function () use ($db) {
            $db->query('SELECT 3')->fetchAll();
            register_shutdown_function(fn () => $db->query('SELECT 4')->fetchAll());
        });
        break;
    case 'halt':
        echo require __DIR__ . '/data.php';
        break;
    case 'handles':
        $file = tempnam(sys_get_temp_dir(), 'probe');
        file_put_contents($file, "one\ntwo\n", LOCK_EX);
        $handle = fopen($file, 'r+');
        flock($handle, LOCK_EX);
        fseek($handle, 4);
        echo fgets($handle), ftell($handle), var_export(ftruncate($handle, 3), true), fstat($handle)['size'], "\n";
        fclose($handle);
        touch($file, 1000);
        clearstatcache();
        echo filemtime($file), file_get_contents($file), count(file($file)), is_dir(__DIR__), rename($file, "$file.b"), unlink("$file.b"), count(glob(__DIR__ . '/*.php')) > 1, "\n";
        echo unlink('/nonexistent/z') ? '' : 'no', rmdir('/nonexistent/z') ? '' : 'no', @filesize('/nonexistent') === false, in_array('lib.php', scandir(__DIR__)), "\n";
        echo json_encode(@opendir('/nonexistent')), error_get_last()['message'], "\n";
        break;
    case 'callers':
        $ask = fn ($sql) => $db->query($sql)->fetchAll();
        $ask('SELECT 5');
        $prepared = (fn () => $db->prepare('SELECT ?'))();
        $prepared->execute([6]);
        break;
}
