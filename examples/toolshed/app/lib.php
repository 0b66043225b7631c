<?php
// What all pages share: the database, the user, forms, the frame of a page.

session_start();

/** Whether a fault is switched on. */
function fault(string $name): bool
{
    return in_array($name, explode(',', getenv('TOOLSHED_FAULTS') ?: ''), true);
}

/** The database: SQLite in `data/`, or what TOOLSHED_DSN names. */
function db(): PDO
{
    static $db = null;
    if ($db === null) {
        $dsn = getenv('TOOLSHED_DSN') ?: 'sqlite:' . dirname(__DIR__) . '/data/toolshed.db';
        $db = new PDO($dsn, getenv('TOOLSHED_USER') ?: null, getenv('TOOLSHED_PASSWORD') ?: null);
        $db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
        $db->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_ASSOC);
    }
    return $db;
}

/** All rows of a statement. */
function rows(string $sql, array $values = []): array
{
    $statement = db()->prepare($sql);
    $statement->execute($values);
    return $statement->fetchAll();
}

/** Its first row; null where there is none. */
function row(string $sql, array $values = []): ?array
{
    return rows($sql, $values)[0] ?? null;
}

/** How many rows it changed. */
function change(string $sql, array $values = []): int
{
    $statement = db()->prepare($sql);
    $statement->execute($values);
    return $statement->rowCount();
}

/** The user who is logged in; null where nobody is. */
function user(): ?array
{
    if (!isset($_SESSION['user'])) {
        return null;
    }
    return row('SELECT id, name, role, blocked, fees FROM member WHERE id = ?', [$_SESSION['user']]);
}

/** The user; who is not logged in, or has another role, is sent away. */
function need(string $role = ''): array
{
    $user = user();
    if ($user === null) {
        redirect('login.php');
    }
    if ($role !== '' && $user['role'] !== $role) {
        http_response_code(403);
        page('Not for you', '<p>Only for a ' . text($role) . '.</p>');
        exit;
    }
    return $user;
}

function redirect(string $to): never
{
    header("Location: /$to", true, 303);
    exit;
}

function text(mixed $value): string
{
    return htmlspecialchars((string) $value, ENT_QUOTES);
}

/** The token that every form holds. */
function token(): string
{
    $_SESSION['token'] ??= bin2hex(random_bytes(16));
    return '<input type="hidden" name="token" value="' . $_SESSION['token'] . '">';
}

/** Whether a form was sent; one that was forged is refused. */
function sent(): bool
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return false;
    }
    if (!hash_equals($_SESSION['token'] ?? '', $_POST['token'] ?? '-')) {
        http_response_code(403);
        page('Refused', '<p>This form is too old. Please try again.</p>');
        exit;
    }
    return true;
}

/** Who has waited longest for a tool; null where nobody waits. */
function first_waiting(int $tool): ?array
{
    return row('SELECT id, member FROM waiting WHERE tool = ? ORDER BY id', [$tool]);
}

/** A message for a member, until she has seen it. */
function notice(int $member, string $body): void
{
    change('INSERT INTO notice (member, body) VALUES (?, ?)', [$member, $body]);
}

/** A message for the next page. */
function tell(string $message): void
{
    $_SESSION['message'] = $message;
}

function page(string $title, string $body): void
{
    $user = user();
    $message = $_SESSION['message'] ?? '';
    unset($_SESSION['message']);
    $links = ['index.php' => 'Tools'];
    if ($user === null) {
        $links['login.php'] = 'Log in';
    } else {
        $links += ['loans.php' => 'My loans', 'waiting.php' => 'Waiting', 'notes.php' => 'Notes', 'compare.php' => 'Compare', 'profile.php' => 'Me'];
        if ($user['role'] === 'keeper') {
            $links += ['desk.php' => 'Desk', 'stock.php' => 'Stock', 'repairs.php' => 'Repairs', 'members.php' => 'Members', 'report.php' => 'Report'];
        }
        $links['logout.php'] = 'Log out';
    }
    $menu = '';
    foreach ($links as $to => $label) {
        $menu .= "<a href=\"$to\">$label</a> ";
    }
    echo "<!doctype html><html><head><title>", text($title), "</title></head><body><nav>$menu</nav>",
        $user === null ? '' : '<p>' . text($user['name']) . '</p>',
        $message === '' ? '' : '<p class="message">' . text($message) . '</p>',
        '<h1>', text($title), "</h1>$body</body></html>\n";
}
