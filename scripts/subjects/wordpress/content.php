<?php
// Installs the WordPress in a folder, and gives it users, posts, pages and comments. Usage: php content.php SITE
$_SERVER['HTTP_HOST'] = '127.0.0.1';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
define('WP_INSTALLING', true);
require $argv[1] . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

wp_install('The Harbour', 'alan', getenv('ADDRESS_ALAN'), false, '', getenv('PASSWORD_ALAN'));
update_option('blogdescription', 'News from the quay');
update_option('users_can_register', 1);
update_option('timezone_string', 'UTC');
update_option('permalink_structure', '/%postname%/');
update_option('comments_notify', 0);
update_option('moderation_notify', 0);
$GLOBALS['wp_rewrite']->init();
create_initial_taxonomies();
flush_rewrite_rules(false);

foreach ([['ada', 'Ada', 'editor'], ['grace', 'Grace', 'author']] as [$login, $name, $role]) {
    wp_insert_user(['user_login' => $login, 'user_pass' => getenv('PASSWORD_' . strtoupper($login)), 'user_email' => getenv('ADDRESS_' . strtoupper($login)), 'first_name' => $name, 'display_name' => $name, 'role' => $role]);
}
$works = wp_insert_term('Works', 'category')['term_id'];
$ships = wp_insert_term('Ships', 'category')['term_id'];

$day = 0;
$posts = [];
foreach ([
    ['The crane', 'The crane lifts twelve tonnes. It is greased on Mondays.', 'alan', [$works], ['crane', 'grease']],
    ['The ferry', 'The ferry crosses to the island at 08:00 and comes back at 09:00.', 'ada', [$works, $ships], ['timetable']],
    ['The lantern', 'The lantern is seen twelve nautical miles away.', 'grace', [$works], []],
    ['A new tug', 'The tug Puffin has 300 hp.', 'grace', [$ships], ['tug']],
] as [$title, $text, $author, $categories, $tags]) {
    $posts[$title] = wp_insert_post([
        'post_title' => $title, 'post_content' => "<!-- wp:paragraph -->\n<p>$text</p>\n<!-- /wp:paragraph -->", 'post_status' => 'publish',
        'post_author' => get_user_by('login', $author)->ID, 'post_category' => $categories, 'tags_input' => $tags,
        'post_date' => '2026-01-0' . ++$day . ' 10:00:00', 'post_date_gmt' => '2026-01-0' . $day . ' 10:00:00',
    ]);
}
wp_insert_post(['post_title' => 'Rules', 'post_type' => 'page', 'post_status' => 'publish', 'post_author' => 1, 'post_content' => '<!-- wp:paragraph --><p>No smoking near the nets.</p><!-- /wp:paragraph -->', 'post_date' => '2026-01-05 10:00:00']);
wp_insert_comment(['comment_post_ID' => $posts['The crane'], 'comment_author' => 'Otto', 'comment_author_email' => 'otto@example.org', 'comment_content' => 'It squeaks.', 'comment_approved' => 1, 'comment_date' => '2026-01-06 10:00:00', 'comment_date_gmt' => '2026-01-06 10:00:00']);
// What WordPress would otherwise look for in the first minutes.
set_site_transient('update_core', (object) ['updates' => [], 'version_checked' => get_bloginfo('version'), 'last_checked' => time()]);
set_site_transient('available_translations', []);
echo "\n", count($posts), " posts\n";
