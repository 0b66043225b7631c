<?php
// Logging out.

require __DIR__ . '/lib.php';

if (fault('draft-after-logout')) {
    unset($_SESSION['user']);
} else {
    session_unset();
}
tell('Good bye');
redirect('index.php');
