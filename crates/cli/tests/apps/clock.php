<?php
// Shows its clock. uniqid() waits for the next microsecond: it never returns where time stands still.
$seen = $_COOKIE['seen'] ?? 'nobody';
setcookie('seen', 'somebody', ['expires' => time() + 3600, 'path' => '/']);
header('Date: ' . gmdate('D, d M Y H:i:s') . ' GMT');
$unique = strlen(uniqid()) + strlen(uniqid());
echo "<p>time=" . time() . ".</p><p>seen $seen $unique</p>";
