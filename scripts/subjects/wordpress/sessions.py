"""What the people of the harbour do with their WordPress: one function a session, each with a browser of its own.

The order matters: later users find what earlier ones wrote. `EVERYBODY` at the end lists them.
"""

import json
import re

from browser import Missing
from people import PICTURE, address, expect, mistyped, password, think


def log_in(browser, user, typed=None, to=None):
    browser.open("/wp-login.php" + (f"?redirect_to=/wp-admin/{to}" if to else ""))
    browser.submit("loginform", "wp-submit", log=user, pwd=typed or password(user))


def log_out(browser):
    browser.click("Log Out")
    expect(browser, "You are now logged out")


def comment(browser, text, **who):
    think()
    browser.submit("commentform", "submit", comment=text, **who)


def rest(browser, path, **data):
    """What the block editor sends: JSON, with the nonce that stands in a script of the page."""
    nonce = re.search(r'createNonceMiddleware\( "(\w+)" \)', browser.page.text)
    if not nonce:
        raise Missing(f"no nonce on {browser.page.url}")
    answer = browser.script(path, json.dumps(data), kind="application/json", headers={"X-WP-Nonce": nonce[1]})
    try:
        return json.loads(answer)
    except ValueError:
        raise Missing(f"{path} answered {answer[:200]}") from None


def publish(browser, title, text, kind="posts", **more):
    """Writes a post in the block editor."""
    browser.open("/wp-admin/post-new.php" + ("?post_type=page" if kind == "pages" else ""))
    number = dict(browser.page.form("post_ID").fields)["post_ID"]
    content = f"<!-- wp:paragraph -->\n<p>{text}</p>\n<!-- /wp:paragraph -->"
    rest(browser, f"/wp-json/wp/v2/{kind}/{number}?_locale=user", id=int(number), title=title, content=content)
    think()
    made = rest(browser, f"/wp-json/wp/v2/{kind}/{number}?_locale=user", id=int(number), status="publish", **more)
    if made.get("status") != "publish":
        raise Missing(f"not published: {str(made)[:300]}")
    return made


def visitor_looks_around(browser):
    browser.open("/")
    browser.click("The crane", nth=0)
    expect(browser, "It squeaks.")
    browser.click("Works")
    browser.click("The ferry", nth=0)
    browser.click("timetable")
    browser.click("Rules")
    browser.click("The Harbour", nth=0)
    browser.open("/2026/01/")
    browser.open("/author/grace/")
    browser.open("/no-such-page/")


def visitor_searches(browser):
    browser.open("/?s=twelve")
    expect(browser, "The lantern")
    browser.click("The lantern", nth=0)
    browser.open("/?s=nothingatall")
    browser.open("/?s=tug&post_type=post")


def visitor_reads_machine_formats(browser):
    browser.open("/feed/")
    browser.open("/comments/feed/")
    browser.open("/the-crane/feed/")
    browser.open("/wp-json/wp/v2/posts?per_page=3")
    browser.open("/wp-json/wp/v2/categories")
    browser.open("/wp-json/wp/v2/posts/999")
    browser.open("/wp-sitemap.xml")
    browser.open("/wp-sitemap-posts-post-1.xml")
    browser.open("/robots.txt")


def visitor_comments(browser):
    browser.open("/the-ferry/")
    comment(browser, "Is there a boat at noon?", author="Otto", email="otto@example.org")
    expect(browser, "boat at noon")
    browser.open("/the-crane/")
    # He was let comment before: it is for its links that this one has to wait.
    comment(browser, "Call http://spam.example now, http://spam.example and http://spam.example", author="Otto", email="otto@example.org", **{"wp-comment-cookies-consent": "yes"})
    expect(browser, "awaiting moderation")
    browser.open("/the-ferry/")
    comment(browser, "", author="Otto", email="otto@example.org")
    expect(browser, "Please type your comment text")


def ada_mistypes_her_password(browser):
    log_in(browser, "ada", mistyped("ada"))
    expect(browser, "is incorrect")
    browser.submit("loginform", "wp-submit", log="ada", pwd=password("ada"), rememberme="forever")
    expect(browser, "Dashboard")
    browser.click("Posts")
    browser.open("/the-crane/")
    browser.open("/wp-admin/")
    log_out(browser)


def mary_registers(browser):
    browser.open("/wp-login.php?action=register")
    browser.submit("registerform", "wp-submit", user_login="ada", user_email=address("mary"))
    expect(browser, "already registered")
    browser.submit("registerform", "wp-submit", user_login="mary", user_email=address("mary"))
    expect(browser, "Registration complete")
    browser.open("/wp-login.php?action=lostpassword")
    browser.submit("lostpasswordform", "wp-submit", user_login="nobody")
    browser.submit("lostpasswordform", "wp-submit", user_login="mary")
    expect(browser, "Check your email")


def alan_gives_mary_a_password(browser):
    log_in(browser, "alan", to="users.php")
    browser.click("mary")
    think()
    browser.submit("your-profile", "submit", first_name="Mary", role="contributor", pass1=password("mary"), pass2=password("mary"), pw_weak="on")
    expect(browser, "User updated")
    browser.click("All Users")
    expect(browser, "Contributor")
    log_out(browser)


def mary_writes_a_draft(browser):
    log_in(browser, "mary")
    browser.submit("quick-press", "save", post_title="Stars over the quay", content="I counted forty.")
    browser.open("/wp-admin/edit.php")
    expect(browser, "Stars over the quay")
    browser.click("Stars over the quay")
    number = dict(browser.page.form("post_ID").fields)["post_ID"]
    think()
    rest(browser, f"/wp-json/wp/v2/posts/{number}?_locale=user", id=int(number), content="<!-- wp:paragraph --><p>I counted forty-one.</p><!-- /wp:paragraph -->", status="pending")
    browser.open("/wp-admin/edit.php")
    expect(browser, "Pending")
    browser.open("/wp-admin/profile.php")
    think()
    browser.submit("your-profile", "submit", nickname="Mary S.", description="I count stars.", pass1=None, pass2=None)
    expect(browser, "Profile updated")


def ada_publishes_marys_post(browser):
    log_in(browser, "ada", to="edit.php")
    browser.click(href="post_status=pending")
    browser.click("Stars over the quay")
    number = dict(browser.page.form("post_ID").fields)["post_ID"]
    think()
    rest(browser, f"/wp-json/wp/v2/posts/{number}?_locale=user", id=int(number), status="publish")
    browser.open("/stars-over-the-quay/")
    expect(browser, "forty-one")
    browser.click("Edit Post")
    log_out_link = browser.page.link("Log Out").href
    browser.open(log_out_link)


def grace_publishes_a_post(browser):
    log_in(browser, "grace")
    made = publish(browser, "The dredger Otter", "The dredger keeps the channel six metres deep.", categories=[2])
    browser.open(made["link"])
    expect(browser, "six metres deep")
    comment(browser, "Questions, please, here.")
    expect(browser, "Questions, please")
    browser.open("/wp-admin/edit.php")
    browser.click("The dredger Otter")
    rest(browser, f"/wp-json/wp/v2/posts/{made['id']}?_locale=user", id=made["id"], title="The dredger", content="<!-- wp:paragraph --><p>The dredger keeps the channel seven metres deep.</p><!-- /wp:paragraph -->")
    browser.open(made["link"])
    expect(browser, "seven metres deep")


def grace_uploads_a_picture(browser):
    log_in(browser, "grace", to="media-new.php")
    think()
    browser.submit("file-form", "html-upload", **{"async-upload": ("otter.png", PICTURE)})
    browser.open("/wp-admin/upload.php?mode=list")
    expect(browser, "otter")
    browser.click(href="action=edit", nth=0)
    think()
    browser.submit("post", "save", post_title="The Otter", excerpt="At work", _wp_attachment_image_alt="A dredger")
    expect(browser, "updated")
    browser.click("View Attachment Page")
    log_out_link = browser.page.link("Log Out").href
    browser.open(log_out_link)


def ada_moderates_comments(browser):
    log_in(browser, "ada", to="edit-comments.php")
    browser.click(href="comment_status=moderated", nth=0)
    browser.click(href="action=approvecomment", nth=0)
    browser.open("/wp-admin/edit-comments.php")
    browser.click(href="action=spamcomment", nth=0)
    browser.click(href="action=editcomment", nth=0)
    think()
    browser.submit("post", "save", content="Is there a boat at noon, please?")
    browser.open("/wp-admin/edit-comments.php?comment_status=spam")
    browser.submit("comments-form", "delete_all")
    browser.open("/the-ferry/")


def ada_answers_otto(browser):
    log_in(browser, "ada", to="edit-comments.php")
    browser.open("/the-crane/")
    browser.click("Reply")
    comment(browser, "We will grease it on Monday.")
    expect(browser, "grease it on Monday")
    browser.click("Edit", nth=0)
    think()
    browser.submit("post", "save", content="We will grease it on Tuesday.")
    expect(browser, "Tuesday")


def ada_sorts_things(browser):
    log_in(browser, "ada", to="edit-tags.php?taxonomy=category")
    browser.submit("addtag", "submit", **{"tag-name": "Weather", "description": "Wind and waves"})
    browser.open("/wp-admin/edit-tags.php?taxonomy=category")
    expect(browser, "Weather")
    browser.click("Weather")
    browser.submit("edittag", name="Weather and tides")
    browser.open("/wp-admin/edit-tags.php?taxonomy=post_tag")
    browser.submit("addtag", "submit", **{"tag-name": "storm"})
    browser.open("/wp-admin/edit-tags.php?taxonomy=post_tag&orderby=count&order=desc")
    browser.click(href="action=delete&taxonomy=post_tag", nth=0)
    browser.open("/category/works/")


def ada_edits_quickly(browser):
    log_in(browser, "ada", to="edit.php")
    form = dict(browser.page.form("_inline_edit").fields)
    number = re.search(r'id="post-(\d+)"[^>]*>(?:(?!</tr>).)*A new tug', browser.page.text, re.S)[1]
    think()
    answer = browser.script("/wp-admin/admin-ajax.php", {
        "action": "inline-save", "post_type": "post", "post_ID": number, "edit_date": "true", "post_status": "all", "post_view": "list",
        "post_title": "A new tug, Puffin", "post_name": "a-new-tug", "mm": "01", "jj": "04", "aa": "2026", "hh": "10", "mn": "00", "ss": "00",
        "post_author": "3", "post_password": "", "post_category[]": "2", "tax_input[post_tag]": "tug", "comment_status": "open",
        "_status": "publish", "_inline_edit": form["_inline_edit"], "screen": "edit-post",
    })
    if "A new tug, Puffin" not in answer:
        raise Missing(f"not saved: {answer[:200]}")
    browser.open("/a-new-tug/")
    expect(browser, "A new tug, Puffin")
    browser.open("/wp-admin/edit.php")
    form = browser.page.form("posts-filter")
    browser.send(form, None, {"post[]": [value for name, value in form.boxes if name == "post[]"][-2:], "action": "trash"})
    browser.click("Undo")
    browser.open("/wp-admin/edit.php?post_status=draft&post_type=post")


def alan_writes_a_page(browser):
    log_in(browser, "alan")
    made = publish(browser, "Opening hours", "Nine to five.", kind="pages")
    browser.open(made["link"])
    expect(browser, "Nine to five")
    browser.open("/")
    expect(browser, "Opening hours")
    browser.open("/wp-admin/edit.php?post_type=page")
    browser.click("Trash", nth=0)
    expect(browser, "moved to the Trash")
    browser.click("Undo")
    browser.open("/wp-admin/")
    log_out(browser)


def alan_changes_settings(browser):
    log_in(browser, "alan", to="options-general.php")
    browser.submit("blogname", "submit", blogdescription="Water under the keel", date_format="Y-m-d", date_format_custom="Y-m-d")
    expect(browser, "Settings saved")
    browser.click("Reading")
    browser.submit("posts_per_page", "submit", posts_per_page="3", rss_use_excerpt="1")
    browser.click("Discussion")
    browser.submit("comment_max_links", "submit", comment_max_links="1", thread_comments_depth="3")
    browser.open("/")
    browser.open("/page/2/")


def alan_manages_users(browser):
    log_in(browser, "alan", to="user-new.php")
    who = {"user_login": "kate", "email": address("kate"), "first_name": "Kate", "pass1": password("kate"), "pass2": password("kate"), "pw_weak": "on"}
    think()
    browser.submit("createuser", "createuser", **who, role="author", send_user_notification=None)
    expect(browser, "New user created")
    form = browser.page.form("users[]")
    browser.send(form, "changeit", {"users[]": [re.search(r'user_id=(\d+)[^"]*">kate<', browser.page.text)[1]], "new_role": "editor"})
    expect(browser, "Changed role")
    number = re.search(r'user_id=(\d+)[^"]*">kate<', browser.page.text)[1]
    browser.click(href=f"action=delete&user={number}")
    browser.submit("updateusers", "submit")
    expect(browser, "User deleted")
    browser.open("/wp-admin/users.php?role=administrator")


def alan_deletes_a_post(browser):
    log_in(browser, "alan", to="edit.php")
    browser.submit("posts-filter", s="Hello")
    browser.click("Trash", nth=0)
    browser.click(href="post_status=trash")
    browser.click("Delete Permanently", nth=0)
    expect(browser, "permanently deleted")
    browser.open("/hello-world/")
    browser.open("/wp-admin/export.php")
    browser.open("/wp-admin/plugins.php")


def visitor_finds_what_is_new(browser):
    browser.open("/")
    browser.click("Stars over the quay", nth=0)
    comment(browser, "Forty-two, I think.", author="Otto", email="otto@example.org", url="http://otto.example/")
    browser.open("/?s=dredger")
    browser.open("/feed/")
    browser.open("/wp-json/wp/v2/comments?per_page=5")


def log_in_chromium(browser, address, user, to):
    browser.open(f"{address}/wp-login.php?redirect_to=/wp-admin/{to}")
    browser.wait_for("document.activeElement && document.activeElement.id === 'user_login'")
    browser.type("#user_login", user)
    browser.type("#user_pass", password(user))
    browser.click("#wp-submit")
    browser.wait_for("document.querySelector('#wpadminbar, .block-editor')")


def grace_in_chromium(browser, address):
    """In the block editor: JSON all the way, with a nonce from a script."""
    log_in_chromium(browser, address, "grace", "post-new.php")
    browser.wait_for("window.wp && wp.data && wp.data.select('core/editor') && wp.data.select('core/editor').getCurrentPostId()")
    browser.run("wp.data.dispatch('core/preferences').set('core/edit-post', 'welcomeGuide', false)")
    browser.wait_for("!document.querySelector('.components-modal__frame')")
    browser.type(".editor-post-title__input", "Fog")
    browser.run("wp.data.dispatch('core/block-editor').insertBlocks(wp.blocks.createBlock('core/paragraph', {content: 'No boats in the fog.'}))")
    browser.click(".editor-post-save-draft")
    browser.wait_for("document.querySelector('.editor-post-saved-state.is-saved')")
    browser.run("wp.data.dispatch('core/edit-post').closeGeneralSidebar()")
    browser.click(".editor-post-publish-panel__toggle")
    browser.wait_for("document.querySelector('.editor-post-publish-panel .editor-post-publish-button')")
    think()
    browser.click(".editor-post-publish-panel .editor-post-publish-button")
    browser.wait_for("document.querySelector('.post-publish-panel__postpublish')")
    browser.open(address + "/fog/")
    browser.wait_for("document.body.innerText.includes('No boats in the fog')")


def ada_in_chromium(browser, address):
    """Comments without leaving the page: an answer, an approval, the trash."""
    log_in_chromium(browser, address, "ada", "edit-comments.php")
    browser.wait_for("window.jQuery && document.querySelector('#the-comment-list tr')")
    browser.run("document.querySelector('#the-comment-list tr .row-actions').style.position = 'static'")
    browser.run("document.querySelector('#the-comment-list tr .row-actions .reply button').click()")
    browser.wait_for("document.querySelector('#replyrow #replycontent')")
    browser.type("#replyrow #replycontent", "So it is.")
    think()
    browser.click("#replyrow .save")
    browser.wait_for("document.querySelector('#the-comment-list').innerText.includes('So it is.')")
    browser.run("document.querySelector('#the-comment-list tr:last-child .row-actions .trash a').click()")
    browser.wait_for("document.querySelector('#the-comment-list tr.undo')")
    browser.run("document.querySelector('#the-comment-list tr.undo .undo a').click()")
    browser.wait_for("!document.querySelector('#the-comment-list tr.undo')")
    browser.open(address + "/wp-admin/index.php")
    browser.wait_for("document.querySelector('#quick-press')")
    browser.type("#quick-press #title", "Ropes")
    browser.type("#quick-press #content", "We need ropes.")
    browser.click("#quick-press #save-post")
    browser.wait_for("document.querySelector('#dashboard_quick_press .drafts')?.innerText.includes('Ropes')")


EVERYBODY = [
    (visitor_looks_around, "firefox"),
    (visitor_searches, "chrome"),
    (visitor_reads_machine_formats, "chrome"),
    (visitor_comments, "phone"),
    (ada_mistypes_her_password, "firefox"),
    (mary_registers, "phone"),
    (alan_gives_mary_a_password, "firefox"),
    (mary_writes_a_draft, "chrome"),
    (ada_publishes_marys_post, "firefox"),
    (grace_publishes_a_post, "chrome"),
    (grace_uploads_a_picture, "chrome"),
    (ada_moderates_comments, "firefox"),
    (ada_answers_otto, "phone"),
    (ada_sorts_things, "firefox"),
    (ada_edits_quickly, "firefox"),
    (alan_writes_a_page, "firefox"),
    (alan_manages_users, "firefox"),
    (alan_deletes_a_post, "chrome"),
    (alan_changes_settings, "firefox"),
    (visitor_finds_what_is_new, "firefox"),
]

# Those of EVERYBODY that make a quick test: only those that others build on.
BRIEF = {
    visitor_looks_around,
    visitor_searches,
    visitor_comments,
    ada_mistypes_her_password,
    mary_registers,
    alan_gives_mary_a_password,
    mary_writes_a_draft,
    ada_publishes_marys_post,
    grace_publishes_a_post,
    ada_moderates_comments,
    ada_answers_otto,
    ada_sorts_things,
    alan_writes_a_page,
    alan_manages_users,
    alan_changes_settings,
}

IN_CHROMIUM = [grace_in_chromium, ada_in_chromium]
