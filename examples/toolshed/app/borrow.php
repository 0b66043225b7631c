<?php
// Borrowing the selected tool, in two steps: for how long, and yes.

require __DIR__ . '/lib.php';

const PRICES = ['power' => 5, 'hand' => 2];
const MOST_LOANS = 3;
const MOST_FEES = 20;

/** Why a member cannot borrow a tool now; null where she can. */
function refusal(?array $user, array $tool): ?string
{
    if ($tool['state'] === 'retired') {
        return 'This tool is not lent any more';
    }
    if ($tool['state'] === 'broken') {
        return 'This tool is being mended';
    }
    if ($user === null) {
        return null;
    }
    if ($user['blocked']) {
        return 'You are blocked: please talk to the keeper';
    }
    if ($user['fees'] >= MOST_FEES) {
        return "Please pay what you owe first: {$user['fees']} €";
    }
    $open = row("SELECT count(*) AS n FROM loan WHERE member = ? AND state IN ('asked', 'out')", [$user['id']]);
    if ($open['n'] >= MOST_LOANS) {
        return 'You have ' . MOST_LOANS . ' tools already';
    }
    if ($tool['state'] === 'out') {
        return 'Somebody has this tool: you can wait for it';
    }
    if ($tool['state'] === 'kept' && (first_waiting($tool['id'])['member'] ?? null) !== $user['id']) {
        return 'This tool is kept for somebody who waited for it';
    }
    return null;
}

if (!fault('draft-after-logout') || !isset($_SESSION['draft'])) {
    need();
}
$user = user();
if (isset($_SESSION['draft'])) {
    $draft = $_SESSION['draft'];
    $tool = row('SELECT id, name, kind, state FROM tool WHERE id = ?', [$draft['tool']]);
    if (sent() && ($_POST['step'] ?? '') === 'confirm') {
        unset($_SESSION['draft']);
        $why = refusal($user, $tool);
        if ($why !== null) {
            tell($why);
            redirect('tool.php?id=' . $tool['id']);
        }
        $price = fault('unknown-kind') ? PRICES[$tool['kind']] : PRICES[$tool['kind']] ?? 3;
        $whole = $price * $draft['days'];
        if ($draft['days'] >= 7) {
            // The seventh day of each week is free.
            $whole -= $price * intdiv($draft['days'], 7);
        }
        change(
            "INSERT INTO loan (tool, member, days, state, price) VALUES (?, ?, ?, 'asked', ?)",
            [$tool['id'], $user['id'] ?? null, $draft['days'], $whole]
        );
        tell('Asked for');
        redirect('loans.php');
    }
    if (sent() && ($_POST['step'] ?? '') === 'drop') {
        unset($_SESSION['draft']);
        redirect('tool.php?id=' . $tool['id']);
    }
    if (($_POST['step'] ?? '') !== 'days') {
        page('Borrow ' . $tool['name'], "<p>For {$draft['days']} days.</p><form method=\"post\" action=\"borrow.php\">" . token()
            . '<button name="step" value="confirm">Yes</button><button name="step" value="drop">No</button></form>');
        exit;
    }
}
if (!isset($_SESSION['tool'])) {
    redirect('index.php');
}
$tool = row('SELECT id, name, kind, state FROM tool WHERE id = ?', [$_SESSION['tool']]);
$error = refusal($user, $tool);
if ($error === null && sent() && ($_POST['step'] ?? '') === 'days') {
    $days = fault('days-in-words') ? $_POST['days'] + 0 : (int) ($_POST['days'] ?? 0);
    if ($days < 1) {
        $error = 'For how many days?';
    } elseif ($days > 28) {
        $error = 'Four weeks at most';
    } else {
        $_SESSION['draft'] = ['tool' => (int) $tool['id'], 'days' => $days];
        redirect('borrow.php');
    }
}
page('Borrow ' . $tool['name'], ($error === null ? '' : '<p class="error">' . text($error) . '</p>')
    . '<form method="post" action="borrow.php">' . token()
    . '<input type="hidden" name="step" value="days"><input name="days" value="3"><button>Next</button></form>');
