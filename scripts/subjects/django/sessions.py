"""What the people of the harbour do in their forum: one function a session, each with a browser of its own.

The order matters: later users find what earlier ones wrote. `EVERYBODY` at the end lists them.
"""

import re

from people import PHOTO, address, expect, mistyped, new_password, password


def log_in(browser, user):
    browser.click("Log in")
    browser.submit("password", "Login", username=user, password=password(user))


def log_out(browser):
    browser.click("Log out")
    confirm(browser)
    expect(browser, "Log in")


def publish(browser, title, text, category):
    browser.click("Create Topic")
    choice = re.search(rf'value="(\d+)"[^>]*>[\s-]*{category}\s*<', browser.page.text)
    browser.submit("title", title=title, category=choice[1], comment=text)
    expect(browser, title)


def reply(browser, text):
    browser.submit("comment", comment=text)
    expect(browser, text)


def confirm(browser):
    browser.send(browser.page.forms[-1], "post")


def visitor_looks_around(browser):
    browser.open("/")
    browser.click("The crane squeaks")
    expect(browser, "twelve")
    browser.click("Works")
    browser.click("A new lantern")
    browser.click("ada")
    browser.open("/user/login/")
    browser.open("/category/4/ships/")
    browser.click("Tugs")
    browser.click("Puffin")
    browser.open("/topic/99/")


def visitor_is_sent_to_log_in(browser):
    browser.open("/topic/publish/")
    browser.submit("password", "Login", username="grace", password="wrong")
    expect(browser, "Please enter a correct username")
    browser.submit("password", "Login", username="grace", password=password("grace"))
    browser.submit("title", title="Nets", category="3", comment="Who mends the nets?")
    expect(browser, "Who mends the nets?")
    log_out(browser)


def mary_registers(browser):
    browser.open("/user/login/")
    browser.open("/user/register/")
    who = {"email": address("mary"), "email2": address("mary"), "password": password("mary")}
    browser.submit("email2", "Register", username="ada", **who)
    expect(browser, "The username is taken")
    browser.submit("email2", "Register", username="mary", **who)
    expect(browser, "activate")
    browser.submit("password", "Login", username="mary", password=password("mary"))


def alan_lets_mary_in(browser):
    browser.open("/")
    log_in(browser, "alan")
    browser.click("Admin")
    browser.click("Users")
    browser.click(href="/st/admin/user/unactive/")
    browser.click(href="/st/admin/user/edit/")
    browser.submit("is_verified", "Save", is_verified="on", is_active="on", location="The quay")
    browser.open("/st/admin/user/")
    log_out(browser)


def mary_says_hello(browser):
    browser.open("/")
    log_in(browser, "mary")
    expect(browser, "Log out")
    browser.open("/")
    publish(browser, "Hello", "I am **Mary**, and I count stars.", "Uncategorized")
    expect(browser, "<strong>Mary</strong>")
    browser.click("Main")
    browser.click("A new lantern")
    reply(browser, "It hides the stars.")
    browser.click("Unread topics")
    log_out(browser)


def grace_starts_a_topic(browser):
    browser.open("/")
    log_in(browser, "grace")
    browser.open("/category/3/works/")
    publish(browser, "The dredger Otter", "It keeps the channel six metres deep. @ada knows more.", "Works")
    reply(browser, "And it is loud.")
    browser.click("edit", href="/topic/update/")
    browser.submit("title", "Update", title="The dredger Otter, at last")
    expect(browser, "at last")
    browser.click(href="/comment/", text="edit", nth=1)
    browser.submit("comment", comment="And it is very loud.")
    expect(browser, "very loud")
    browser.click(href="/comment/history/")


def ada_finds_she_was_mentioned(browser):
    browser.open("/")
    log_in(browser, "ada")
    browser.script("/topic/notification/ajax/")
    browser.click(href="/topic/notification/")
    browser.click("The dredger Otter, at last")
    browser.click("quote", nth=0)
    browser.submit("comment")
    browser.open("/topic/notification/")
    browser.open("/topic/notification/unread/")
    log_out(browser)


def ada_moderates(browser):
    browser.open("/")
    log_in(browser, "ada")
    browser.open("/")
    browser.click("The ferry is late")
    browser.click("Pin topic")
    confirm(browser)
    browser.click("Close topic")
    confirm(browser)
    expect(browser, "closed")
    browser.click("Open topic")
    confirm(browser)
    browser.click(href="/delete/", text="delete", nth=1)
    confirm(browser)
    browser.open("/topic/3/")
    browser.click("Unpin topic")
    confirm(browser)
    # What is left of what the other one said.
    browser.open("/user/1/alan/")
    expect(browser, "Puffin")


def grace_writes_privately(browser):
    browser.open("/")
    log_in(browser, "grace")
    browser.click("Private topics")
    browser.open("/topic/private/publish/")
    browser.submit("users", title="The party", users="ada", comment="On Friday, in the shed.")
    expect(browser, "in the shed")
    browser.submit("user", user="alan")
    reply(browser, "Bring a cake.")
    browser.click("Private topics")


def ada_answers_privately(browser):
    browser.open("/")
    log_in(browser, "ada")
    browser.click("Private topics")
    browser.click("The party")
    reply(browser, "Which cake?")
    browser.open("/topic/notification/")
    browser.open("/topic/private/author/")
    log_out(browser)


def mary_reports_and_bookmarks(browser):
    browser.open("/topic/1/")
    log_in(browser, "mary")
    expect(browser, "The crane squeaks")
    browser.click("report", nth=1)
    browser.submit("reason", "Report", reason="0", body="It was not greased.")
    browser.open("/topic/1/")
    browser.submit("is_active")
    reply(browser, "It sings.")
    browser.open("/topic/unread/")


def alan_settles_the_report(browser):
    browser.open("/")
    log_in(browser, "alan")
    browser.click("Admin")
    browser.click("Flags")
    browser.click(href="/st/admin/comment/flag/1/")
    browser.submit("is_closed", is_closed="on")
    browser.open("/st/admin/comment/flag/closed/")


def alan_changes_settings(browser):
    browser.open("/")
    log_in(browser, "alan")
    browser.click("Admin")
    browser.click("Basic settings")
    browser.submit("site_name", "Save", site_name="Harbour talk", topics_per_page="5", comments_per_page="3")
    browser.click("Categories")
    browser.open("/st/admin/category/create/")
    browser.submit("description", "Save", title="Weather", description="Wind and waves")
    browser.open("/")
    expect(browser, "Harbour talk")
    expect(browser, "Weather")
    browser.open("/topic/1/")
    browser.click(href="page=2")


def grace_changes_her_profile(browser):
    browser.open("/")
    log_in(browser, "grace")
    browser.open("/user/")
    browser.submit("location", "Save", first_name="Grace", location="The shed", avatar=("me.jpg", PHOTO))
    browser.click(href="/user/3/")
    browser.open("/user/password-change/")
    browser.submit("old_password", "post", old_password=mistyped("grace"), new_password1=new_password("grace"), new_password2=new_password("grace"))
    browser.submit("old_password", "post", old_password=password("grace"), new_password1=new_password("grace"), new_password2=new_password("grace"))
    browser.open("/user/email-change/")
    browser.submit("email", "post", email="admiral@example.org", password=new_password("grace"))
    log_out(browser)


def grace_deletes_what_she_said(browser):
    browser.open("/user/login/")
    browser.submit("password", "Login", username=address("grace"), password=new_password("grace"))
    browser.open("/user/3/grace/")
    browser.click(href="/user/topics/3/")
    browser.click("Nets")
    browser.click(href="/comment/", text="edit", nth=0)
    browser.submit("comment", comment="(mended)")
    expect(browser, "(mended)")
    browser.open("/user/likes/3/grace/")


def ada_holds_a_poll(browser):
    browser.open("/")
    log_in(browser, "ada")
    browser.open("/")
    publish(browser, "Cake", "[poll name=cake]\r\n1. Plum\r\n2. Cheese\r\n[/poll]", "Uncategorized")
    expect(browser, "Plum")
    vote = next(form for form in browser.page.forms if "/comment/poll/vote/" in form.action)
    browser.send(vote, None, {"choices": vote.boxes[0][1]})
    browser.click(href="/comment/poll/voters/")


def mary_votes(browser):
    browser.open("/")
    log_in(browser, "mary")
    browser.open("/")
    browser.click("Cake")
    vote = next(form for form in browser.page.forms if "/comment/poll/vote/" in form.action)
    browser.send(vote, None, {"choices": vote.boxes[1][1]})
    log_out(browser)


def somebody_searches(browser):
    browser.open("/")
    log_in(browser, "ada")
    browser.submit("q", q="lantern")
    expect(browser, "A new lantern")
    browser.click("A new lantern")
    browser.submit("q", q="nothingatall")
    browser.open("/search/?q=crane&category=3")


def alan_in_djangos_own_pages(browser):
    browser.open("/")
    log_in(browser, "alan")
    browser.open("/admin/")
    browser.open("/admin/auth/user/")
    browser.click("mary")
    browser.submit("first_name", "_save", first_name="Mary", last_name="Somerville")
    browser.open("/admin/auth/group/add/")
    browser.submit("name", "_addanother", name="Crew")
    browser.submit("name", "_save", name="Guests")
    browser.click("Crew")
    browser.click("Delete")
    browser.submit(("post", "yes"))
    browser.open("/admin/auth/user/?q=ad")


def visitor_finds_what_is_new(browser):
    browser.open("/")
    browser.click("Cake")
    browser.open("/topic/active/?page=2")
    browser.open("/category/3/works/")


def log_in_chromium(browser, address, user, to):
    browser.open(f"{address}/user/login/?next={to}")
    browser.type("input[name=username]", user)
    browser.type("input[name=password]", password(user))
    browser.click("input[type=submit], button[type=submit]")
    browser.wait_for("document.querySelector('a[href*=\"/user/logout/\"]')")


def ada_in_chromium(browser, address):
    """With the forum's own scripts: a like, a bookmark while she scrolls, a preview, an answer."""
    log_in_chromium(browser, address, "ada", "/topic/1/")
    browser.wait_for("document.querySelector('.js-like')")
    browser.click(".js-like")
    browser.wait_for("/\\(1\\)/.test(document.querySelector('.js-like').innerText)")
    browser.type("#id_comment", "Oil, then.")
    browser.click(".js-reply-form button, .comment-publish button, form[action*='/publish/'] button[type=submit], form[action*='/publish/'] input[type=submit]")
    browser.wait_for("document.body.innerText.includes('Oil, then.')")


def mary_in_chromium(browser, address):
    log_in_chromium(browser, address, "mary", "/")
    browser.open(address + "/topic/publish/")
    browser.type("#id_title", "Comet")
    browser.run("document.querySelector('#id_category').selectedIndex = 1")
    browser.type("#id_comment", "There is a comet over the quay.")
    browser.click("form[action='.'] button[type=submit], form[action='.'] input[type=submit]")
    browser.wait_for("location.pathname.includes('/comet/')")
    browser.open(address + "/topic/2/")
    browser.click(".js-like")
    browser.wait_for("/\\(1\\)/.test(document.querySelector('.js-like').innerText)")
    browser.open(address + "/user/logout/")
    browser.click("form[method=post] input[type=submit], form[method=post] button")
    browser.wait_for("document.querySelector('a[href*=\"/user/login/\"]')")


EVERYBODY = [
    (visitor_looks_around, "firefox"),
    (visitor_is_sent_to_log_in, "chrome"),
    (mary_registers, "phone"),
    (alan_lets_mary_in, "firefox"),
    (mary_says_hello, "phone"),
    (grace_starts_a_topic, "chrome"),
    (ada_finds_she_was_mentioned, "firefox"),
    (ada_moderates, "firefox"),
    (grace_writes_privately, "chrome"),
    (ada_answers_privately, "firefox"),
    (mary_reports_and_bookmarks, "phone"),
    (alan_settles_the_report, "firefox"),
    (ada_holds_a_poll, "firefox"),
    (mary_votes, "phone"),
    (somebody_searches, "firefox"),
    (grace_changes_her_profile, "chrome"),
    (grace_deletes_what_she_said, "chrome"),
    (alan_in_djangos_own_pages, "firefox"),
    (alan_changes_settings, "firefox"),
    (visitor_finds_what_is_new, "phone"),
]

# Those of EVERYBODY that make a quick test.
BRIEF = {session for session, _ in EVERYBODY}

IN_CHROMIUM = [ada_in_chromium, mary_in_chromium]
