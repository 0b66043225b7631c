"""What the people of the harbour do with their wiki: one function a session, each with a browser of its own.

The order matters: later users find what earlier ones wrote. `EVERYBODY` at the end lists them.
"""

from browser import Browser, Missing
from people import PICTURE, address, expect, mistyped, new_password, password, think

BETTER_PICTURE = PICTURE[:-12] + bytes.fromhex("0000000049454e44ae426082")


def log_in(browser, user, typed=None, remember=False):
    browser.click("Log In")
    browser.submit("dw__login", u=user, p=typed or password(user), **({"r": "1"} if remember else {}))


def edit(browser, change, summary, minor=False):
    """Edits the page that is open: `change` makes the new text of the old one."""
    browser.click("Edit this page")
    save(browser, change, summary, minor)


def create(browser, text, summary=""):
    browser.click("Create this page")
    save(browser, lambda _: text, summary)


def save(browser, change, summary, minor=False):
    form = browser.page.form("dw__editform")
    old = dict(form.fields)["wikitext"]
    think()
    typed = {"wikitext": change(old), "summary": summary, **({"minor": "1"} if minor else {})}
    browser.send(form, "do[save]", typed)
    browser.script("/lib/exe/ajax.php", {"call": "index", "idx": ""})


def keep_draft(browser, typed):
    """What the page's script sends while somebody types."""
    form = dict(browser.page.form("dw__editform").fields)
    sent = {"call": "lock", **{name: form[name] for name in ("id", "prefix", "wikitext", "suffix", "date")}}
    sent["wikitext"] += typed
    answer = browser.script("/lib/exe/ajax.php", sent)
    if '"draft"' not in answer:
        raise Missing(f"no draft was saved: {answer}")


def visitor_looks_around(browser):
    browser.open("/")
    for page in ("Projects", "The crane", "Backlinks", "Old revisions"):
        browser.click(page)
    browser.click("Sitemap")
    browser.click("projects", href="idx=")
    browser.click("ferry")
    browser.click("Recent Changes")
    browser.submit("dw__recent", "do[recent]", show_changes="pages")
    browser.click("projects:crane", nth=0)
    browser.click("People")
    expect(browser, "Permission Denied")


def visitor_searches(browser):
    browser.open("/doku.php?id=start")
    browser.script("/lib/exe/ajax.php", {"call": "qsearch", "q": "cra"})
    browser.submit("dw__search", q="crane")
    browser.click("projects:lantern")
    browser.submit("dw__search", q="twelve -nautical")
    browser.submit("dw__search", q="nothingatall")
    browser.script("/lib/exe/ajax.php", {"call": "suggestions", "q": "fer"})
    browser.submit("dw__search", q="ferry @projects")
    browser.click("projects:ferry")


def visitor_finds_what_is_new(browser):
    browser.open("/doku.php?id=start")
    expect(browser, "You are here")
    browser.submit("dw__search", q="grease")
    browser.click("meetings:monday")
    browser.submit("dw__search", q="lantern")
    browser.open("/feed.php?type=rss2&linkto=current")
    browser.open("/doku.php?id=start&do=recent")


def visitor_reads_machine_formats(browser):
    browser.open("/feed.php")
    browser.open("/feed.php?type=atom1&mode=list&ns=projects")
    browser.open("/feed.php?type=rss2&mode=search&q=crane")
    browser.open("/doku.php?id=projects:crane")
    browser.open("/doku.php?id=projects:crane&do=export_raw")
    browser.open("/doku.php?id=projects:crane&do=export_xhtml")
    browser.open("/doku.php?id=projects:crane&do=export_xhtmlbody")
    browser.open("/doku.php?id=projects:crane&do=export_code&codeblock=0")
    browser.open("/lib/exe/opensearch.php")
    browser.open("/lib/exe/fetch.php?media=wiki:dokuwiki-128.png")
    browser.open("/lib/exe/fetch.php?media=wiki:nosuch.png")
    browser.open("/doku.php?id=no:such:page")


def visitor_on_a_phone(browser):
    browser.open("/doku.php?id=projects:ferry")
    tools = browser.page.forms[1]
    browser.send(tools, None, {"do": "revisions"})
    browser.send(browser.page.forms[1], None, {"do": "backlink"})
    browser.click("start")


def ada_mistypes_her_password(browser):
    browser.open("/doku.php?id=start")
    log_in(browser, "ada", mistyped("ada"))
    expect(browser, "username or password was wrong")
    browser.submit("dw__login", u="ada", p=password("ada"))
    expect(browser, "Logged in as")
    browser.click("People")
    browser.click("Log Out")
    browser.open("/doku.php?id=team:people")
    expect(browser, "Permission Denied")


def mary_registers(browser):
    browser.open("/doku.php?id=start")
    browser.click("Register")
    who = {"login": "mary", "fullname": "Mary S.", "email": address("mary")}
    browser.submit("dw__register", **who, **{"pass": password("mary"), "passchk": mistyped("mary")})
    browser.submit("dw__register", **who, **{"pass": password("mary"), "passchk": password("mary")})
    browser.submit("dw__login", u="mary", p=password("mary"))
    expect(browser, "Logged in as")
    browser.click("Projects")
    browser.click("Log Out")


def ada_edits_the_crane(browser):
    browser.open("/doku.php?id=projects:crane")
    log_in(browser, "ada", remember=True)
    browser.click("Edit this page")
    form = browser.page.form("dw__editform")
    text = dict(form.fields)["wikitext"].replace("twelve tonnes", "fourteen tonnes")
    browser.send(form, "do[preview]", {"wikitext": text + "\r\nSee the [[team:charts]].\r\n"})
    expect(browser, "fourteen tonnes")
    save(browser, lambda old: old.replace("1911", "1912"), "measured again")
    expect(browser, "fourteen tonnes")
    browser.click("Old revisions")


def ada_creates_pages(browser):
    browser.open("/doku.php?id=start")
    log_in(browser, "ada")
    browser.click("dredger")
    create(browser, "====== The Dredger ======\r\n\r\nThe dredger //Otter// keeps the channel six metres deep.\r\n", "new project")
    expect(browser, "keeps the channel")
    browser.click("Projects")
    edit(browser, lambda old: old.replace("lantern]]", "lantern]]") + "\r\nThe newest is the [[projects:dredger|dredger]].\r\n", "named the dredger")
    browser.open("/doku.php?id=projects:tugs:puffin")
    create(browser, "====== Puffin ======\r\n\r\nA small tug of 300 hp, see [[..dredger]].\r\n")
    browser.click("Sitemap")
    browser.script("/lib/exe/ajax.php", {"call": "index", "idx": "projects"})
    browser.submit("dw__search", q="otter")


def grace_edits_a_section(browser):
    browser.open("/doku.php?id=projects:ferry")
    log_in(browser, "grace")
    browser.submit(("hid", "timetable"))
    expect(browser, "08:00")
    save(browser, lambda old: old + "| harbour | island | 10:00 |\r\n", "later boat")
    expect(browser, "10:00")
    browser.submit(("hid", "crew"))
    save(browser, lambda old: old.replace("listed", "written down"), "[Crew] ", minor=True)
    browser.click("Log Out")


def grace_compares_revisions(browser):
    browser.open("/doku.php?id=start")
    log_in(browser, "grace")
    browser.open("/doku.php?id=projects:crane")
    browser.click("Old revisions")
    form = browser.page.form("page__revisions")
    boxes = [value for name, value in form.boxes if name == "rev2[]"]
    browser.send(form, "do[diff]", {"rev2[]": [boxes[0], boxes[-1]]})
    expect(browser, "fourteen")
    browser.submit("difftype", difftype="inline")
    browser.click("Old revisions")
    browser.click(href="do=diff", nth=1)
    browser.click("Old revisions")
    browser.click(href="&rev=", text="projects:crane", nth=0)
    expect(browser, "old revision")
    browser.click("Edit this page")
    save(browser, lambda old: old, "back to the old figures")
    browser.click("Recent Changes")


def alan_restores_a_revision(browser):
    browser.open("/doku.php?id=projects:crane")
    log_in(browser, "alan")
    browser.click("Old revisions")
    browser.click(href="&rev=", text="projects:crane", nth=0)
    think()
    browser.click("Restore")
    expect(browser, "fourteen tonnes")
    browser.click("Old revisions")


def ada_uploads_a_picture(browser):
    browser.open("/doku.php?id=projects:ferry")
    log_in(browser, "ada")
    browser.click("Media Manager")
    browser.click("Upload")
    browser.submit("dw__upload", upload=("otter.png", PICTURE), mediaid="otter.png")
    browser.click("otter.png")
    browser.open("/doku.php?id=projects:ferry")
    edit(browser, lambda old: old + "\r\n{{projects:otter.png|The Otter}}\r\n", "with a picture")
    browser.click(href="detail.php")
    browser.click(href="/lib/exe/fetch.php", nth=0)


def ada_replaces_her_picture(browser):
    browser.open("/doku.php?id=projects:ferry")
    log_in(browser, "ada")
    browser.click("Media Manager")
    browser.click("otter.png")
    browser.click("History")
    browser.click("View")
    browser.submit("mediamanager__btn_update")
    think()
    browser.submit("dw__upload", upload=("otter2.png", BETTER_PICTURE))
    browser.click("History")
    browser.click(href="mediado=diff", nth=0)


def grace_uses_the_media_popup(browser):
    browser.open("/doku.php?id=team:charts")
    log_in(browser, "grace")
    browser.click("Edit this page")
    popup = Browser(browser.base, browser.agent, browser.at)
    popup.cookies, popup.fetched = browser.cookies, browser.fetched
    popup.open("/lib/exe/mediamanager.php?ns=team&edid=wiki__text")
    popup.submit("dw__upload", upload=("chart7.txt", b"Chart 7: the harbour mouth\n"), mediaid="chart7.txt")
    popup.submit("dw__mediasearch", q="chart")
    popup.script("/lib/exe/ajax.php", {"call": "medialist", "ns": "team", "do": "medialist"})
    popup.script("/lib/exe/ajax.php", {"call": "medians", "ns": ""})
    keep_draft(browser, "{{team:")
    save(browser, lambda old: old.replace("Chart 7 is missing.", "Chart 7 is {{team:chart7.txt|here}}."), "found it")
    browser.click("here")
    popup.open("/lib/exe/mediamanager.php?ns=team")
    popup.click(href="fetch.php", nth=0)


def alan_manages_users(browser):
    browser.open("/doku.php?id=start")
    log_in(browser, "alan")
    browser.click("Admin")
    browser.click("User Manager")
    browser.submit("fn[add]", "fn[add]", userid="kate", userpass=password("kate"), userpass2=password("kate"), username="Kate S.", usermail=address("kate"), usergroups="user,crew")
    expect(browser, "User added successfully")
    browser.submit("fn[search][new]", "fn[search][new]", userid="a")
    browser.click("Admin")
    browser.click("User Manager")
    browser.click("kate")
    browser.submit("fn[modify]", "fn[modify]", username="Kate Sheppard")
    browser.submit("fn[delete]", "fn[delete]", **{"delete[kate]": "on"})
    expect(browser, "1 users deleted")
    browser.submit("fn[delete]", "fn[export]")


def alan_manages_rights(browser):
    browser.open("/doku.php?id=start")
    log_in(browser, "alan")
    browser.click("Admin")
    browser.click("Access Control List Management")
    browser.click("meetings", href="page=acl")
    browser.submit("acl_t", acl_t="@user")
    browser.submit("cmd[save]", "cmd[save]", acl="4")
    browser.click("meetings", href="page=acl")
    token = dict(browser.page.form("cmd[update]").fields)["sectok"]
    browser.script("/lib/exe/ajax.php", {"call": "plugin_acl", "ajax": "info", "ns": "meetings", "id": "", "acl_t": "@user", "acl_w": "user", "sectok": token})
    update = browser.page.form("cmd[update]")
    browser.send(update, "cmd[update]", {"del[meetings:*][]": ["@user"]})


def alan_changes_settings(browser):
    browser.open("/doku.php?id=start")
    log_in(browser, "alan")
    browser.click("Admin")
    browser.click("Configuration Settings")
    browser.submit("dw__configform", "submit", **{"config[tagline]": "Water under the keel", "config[youarehere]": "1"})
    expect(browser, "Water under the keel")
    browser.click("Show page")
    browser.click("Projects")
    expect(browser, "You are here")


def alan_deletes_a_page(browser):
    browser.open("/doku.php?id=projects:lantern")
    log_in(browser, "alan")
    edit(browser, lambda _: "", "the lantern was sold")
    expect(browser, "does not exist")
    browser.click("Recent Changes")
    browser.click("Old revisions")
    browser.click("Admin")
    browser.click("Revert Manager")
    browser.submit("filter", filter="later boat")
    browser.click("Media Manager")
    browser.click("otter.png")
    browser.submit("mediamanager__btn_delete")


def ada_leaves_a_draft(browser):
    browser.open("/doku.php?id=team:rules")
    log_in(browser, "ada")
    browser.click("Edit this page")
    keep_draft(browser, "  * No running.\r\n")
    # She closes the window: the page stays locked.


def grace_finds_the_page_locked(browser):
    browser.open("/doku.php?id=team:rules")
    log_in(browser, "grace")
    browser.click("Edit this page")
    expect(browser, "currently locked")
    browser.click("Old revisions")


def ada_recovers_her_draft(browser):
    browser.open("/doku.php?id=team:rules")
    log_in(browser, "ada")
    browser.click(href="do=draft")
    expect(browser, "Draft file found")
    browser.submit("do[recover]", "do[recover]")
    save(browser, lambda old: old, "no running")
    expect(browser, "No running.")


def ada_subscribes(browser):
    browser.open("/doku.php?id=projects:ferry")
    log_in(browser, "ada")
    browser.click("Manage Subscriptions")
    browser.submit("subscribe__form", "do[subscribe]", sub_style="digest")
    browser.click("Manage Subscriptions")
    browser.submit("subscribe__form", "do[subscribe]", sub_target="projects:", sub_style="list")
    browser.click("Manage Subscriptions")
    browser.click(href="sub_action=unsubscribe")


def grace_changes_her_profile(browser):
    browser.open("/doku.php?id=start")
    log_in(browser, "grace")
    browser.click("Update Profile")
    browser.submit("dw__register", fullname="Grace M. H.", oldpass="wrong")
    think()
    browser.submit("dw__register", fullname="Grace M. H.", email="gmh@example.org", oldpass=password("grace"))
    browser.click("Update Profile")
    browser.submit("dw__register", newpass=new_password("grace"), passchk=new_password("grace"), oldpass=password("grace"))
    browser.click("Log Out")
    log_in(browser, "grace", new_password("grace"))
    browser.click("Update Profile")
    browser.submit("dw__register", newpass=password("grace"), passchk=password("grace"), oldpass=new_password("grace"))


def grace_writes_meeting_notes(browser):
    browser.open("/doku.php?id=meetings:start")
    log_in(browser, "grace")
    browser.open("/doku.php?id=meetings:monday")
    browser.click("Create this page")
    expect(browser, "Meeting: Monday")
    save(browser, lambda old: old.replace("===== Decided", "Ada, Grace.\r\n\r\n===== Decided") + "\r\nBuy grease.\r\n", "notes")
    browser.click("Meetings")
    edit(browser, lambda old: old + "\r\n  * [[meetings:monday]]\r\n", "linked", minor=True)
    browser.click("meetings:monday", href="monday")
    browser.click("Edit this page")
    browser.submit("dw__editform", "do[cancel]")


def mary_forgot_her_password(browser):
    browser.open("/doku.php?id=start")
    browser.click("Log In")
    browser.click("Set new password")
    browser.submit("dw__resendpwd", login="nobody")
    browser.submit("dw__resendpwd", login="mary")


def two_at_one_page(ada, grace):
    """Two sessions at once: who saves last meets the other's change."""
    ada.open("/doku.php?id=meetings:start")
    log_in(ada, "ada")
    grace.open("/doku.php?id=meetings:start")
    log_in(grace, "grace")
    ada.click("Edit this page")
    form = ada.page.form("dw__editform")
    # Grace finds it locked and waits; Ada saves; now Grace may.
    grace.click("Edit this page")
    expect(grace, "currently locked")
    think()
    ada.send(form, "do[save]", {"wikitext": dict(form.fields)["wikitext"] + "\r\nBring a pen.\r\n", "summary": "pens"})
    grace.open("/doku.php?id=meetings:start")
    edit(grace, lambda old: old.replace("nine", "ten"), "one hour later")
    expect(grace, "Bring a pen")
    ada.click("Log Out")


def ada_in_chromium(browser, address):
    """With the application's own scripts: quick search, toolbar, the draft that is saved while she types."""
    browser.open(address + "/doku.php?id=start")
    browser.click("a[href*='do=login']")
    browser.wait_for("document.querySelector('#dw__login')")
    browser.type("#dw__login input[name=u]", "ada")
    browser.type("#dw__login input[name=p]", password("ada"))
    browser.click("#dw__login button[type=submit]")
    browser.wait_for("document.querySelector('a[href*=\"do=logout\"]')")
    browser.type("#qsearch__in", "fer")
    browser.wait_for("document.querySelector('#qsearch__out a')")
    browser.click("#qsearch__out a[href*='ferry']")
    browser.wait_for("document.title.startsWith('projects:ferry')")
    browser.click("#dokuwiki__pagetools a.edit, #dokuwiki__pagetools a[href*='do=edit']")
    browser.wait_for("document.querySelector('#tool__bar button')")
    # Half a minute later the next key pressed saves a draft.
    browser.run("dw_locktimer.lasttime = new Date(0)")
    browser.type("#wiki__text", "No boats on Sundays. ")
    browser.wait_for("/Draft/.test(document.querySelector('#draft__status').innerText)")
    browser.clear("#edit__summary")
    browser.type("#edit__summary", "sundays")
    think()
    browser.click("#edbtn__save")
    browser.wait_for("document.body.innerText.includes('No boats on Sundays')")
    browser.click("a[href*='do=logout']")
    browser.wait_for("document.querySelector('a[href*=\"do=login\"]')")


EVERYBODY = [
    (visitor_looks_around, "firefox"),
    (visitor_searches, "chrome"),
    (ada_mistypes_her_password, "firefox"),
    (visitor_reads_machine_formats, "chrome"),
    (visitor_on_a_phone, "phone"),
    (mary_registers, "chrome"),
    (ada_edits_the_crane, "firefox"),
    (ada_creates_pages, "firefox"),
    (grace_edits_a_section, "chrome"),
    (grace_compares_revisions, "chrome"),
    (alan_restores_a_revision, "firefox"),
    (ada_uploads_a_picture, "firefox"),
    (ada_replaces_her_picture, "chrome"),
    (grace_uses_the_media_popup, "chrome"),
    (alan_manages_users, "firefox"),
    (alan_manages_rights, "firefox"),
    (ada_leaves_a_draft, "phone"),
    (grace_finds_the_page_locked, "chrome"),
    (ada_recovers_her_draft, "firefox"),
    (ada_subscribes, "firefox"),
    (grace_changes_her_profile, "chrome"),
    (grace_writes_meeting_notes, "phone"),
    (mary_forgot_her_password, "chrome"),
    (alan_deletes_a_page, "firefox"),
    (alan_changes_settings, "firefox"),
    (visitor_finds_what_is_new, "firefox"),
]

# Those of EVERYBODY that make a quick test: little thinking, and only those that others build on.
BRIEF = {
    visitor_looks_around,
    visitor_searches,
    visitor_reads_machine_formats,
    visitor_on_a_phone,
    ada_mistypes_her_password,
    mary_registers,
    ada_edits_the_crane,
    grace_edits_a_section,
    grace_compares_revisions,
    alan_restores_a_revision,
    ada_uploads_a_picture,
    alan_manages_users,
    alan_manages_rights,
    ada_leaves_a_draft,
    grace_finds_the_page_locked,
    ada_recovers_her_draft,
    ada_subscribes,
    mary_forgot_her_password,
}

TOGETHER = [(two_at_one_page, "firefox", "chrome")]

IN_CHROMIUM = [ada_in_chromium]
