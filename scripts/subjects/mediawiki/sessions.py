"""What the people of the harbour do with their MediaWiki: one function a session, each with a browser of its own.

The order matters: later users find what earlier ones wrote. `EVERYBODY` at the end lists them.
"""

from people import PICTURE, expect, mistyped, new_password, password, think


def log_in(browser, user, typed=None):
    browser.click("Log in")
    browser.submit("wpPassword", "wploginattempt", wpName=user, wpPassword=typed or password(user))


def log_out(browser):
    browser.click("Log out")
    browser.submit("wpEditToken", "Submit")
    expect(browser, "You are now logged out")


def save(browser, change, summary, **more):
    """Changes the text of the page that is being edited, and saves it."""
    form = browser.page.form("editform")
    old = dict(form.fields)["wpTextbox1"]
    think()
    browser.send(form, "wpSave", {"wpTextbox1": change(old), "wpSummary": summary, **more})


def edit(browser, change, summary, **more):
    browser.click("Edit")
    save(browser, change, summary, **more)


def visitor_looks_around(browser):
    browser.open("/")
    for page in ("The crane", "The ferry", "Ships", "What links here", "Main page", "The lantern"):
        browser.click(page)
    expect(browser, "15 seconds")
    browser.click("Works")
    browser.click("Recent changes")
    browser.click("Special pages")
    browser.click(href="Special:AllPages")
    browser.click(href="The_crane")
    browser.click("View history")
    browser.click("Page information")


def visitor_searches(browser):
    browser.open("/index.php/Main_Page")
    browser.submit("searchform", "fulltext", search="twelve")
    expect(browser, "The lantern")
    browser.click("The lantern")
    browser.submit("searchform", "go", search="The ferry")
    expect(browser, "crosses to the island")
    browser.submit("searchform", "fulltext", search="nothingatall")
    browser.submit("search", search="charts", profile="all")
    browser.script("/api.php?action=opensearch&format=json&formatversion=2&search=the&namespace=0&limit=10")
    browser.open("/index.php?title=Special:Search&search=crane&fulltext=1&ns0=1&ns4=1")


def visitor_reads_machine_formats(browser):
    browser.open("/api.php?action=query&format=json&prop=revisions&titles=The_crane&rvprop=content&rvslots=main")
    browser.open("/api.php?action=query&format=json&list=allpages")
    browser.open("/api.php?action=parse&format=json&page=The_ferry&prop=sections|links")
    browser.open("/index.php?title=The_ferry&action=raw")
    browser.open("/index.php?title=Special:RecentChanges&feed=atom")
    browser.open("/index.php/Special:Export/The_lantern")
    browser.open("/index.php/No_such_page")
    browser.open("/rest.php/v1/page/The_lantern")


def ada_mistypes_her_password(browser):
    browser.open("/index.php/The_crane")
    log_in(browser, "Ada", mistyped("Ada"))
    expect(browser, "Incorrect username or password")
    browser.submit("wpPassword", "wploginattempt", wpName="Ada", wpPassword=password("Ada"))
    expect(browser, "lifts twelve tonnes")
    browser.click("Contributions")
    log_out(browser)


def mary_registers(browser):
    browser.open("/index.php/Main_Page")
    browser.click("Create account")
    browser.submit("retype", "wpCreateaccount", wpName="Mary", wpPassword=password("Mary"), retype=mistyped("Mary"))
    expect(browser, "do not match")
    browser.submit("retype", "wpCreateaccount", wpName="Mary", wpPassword=password("Mary"), retype=password("Mary"))
    expect(browser, "Welcome, Mary")
    browser.open("/index.php/User:Mary")
    browser.click("Create")
    save(browser, lambda _: "I count the stars over [[The lantern]].\r\n", "hello")
    expect(browser, "count the stars")
    browser.click("Preferences")
    log_out(browser)


def ada_edits_the_crane(browser):
    browser.open("/index.php/The_crane")
    log_in(browser, "Ada")
    browser.click("Edit")
    form = browser.page.form("editform")
    text = dict(form.fields)["wpTextbox1"].replace("twelve tonnes", "fourteen tonnes")
    browser.send(form, "wpPreview", {"wpTextbox1": text})
    expect(browser, "his is only a preview")
    browser.submit("editform", "wpDiff")
    save(browser, lambda old: old.replace("Mondays", "Tuesdays"), "measured again")
    expect(browser, "fourteen tonnes")
    browser.click("View history")
    browser.click("prev")
    expect(browser, "Tuesdays")


def ada_creates_a_page(browser):
    browser.open("/index.php/Main_Page")
    log_in(browser, "Ada")
    browser.click("The dredger")
    save(browser, lambda _: "'''The dredger''' ''Otter'' keeps the channel six metres deep. {{Harbour}}\r\n\r\n[[Category:Works]]\r\n", "new")
    expect(browser, "six metres deep")
    browser.click("Works")
    expect(browser, "The dredger")
    browser.click("Watchlist")
    browser.open("/index.php/The_dredger")
    browser.click("Discussion")
    save(browser, lambda _: "How deep was it before? ~~~~\r\n", "question")
    expect(browser, "How deep was it")
    log_out(browser)


def grace_edits_a_section(browser):
    browser.open("/index.php/The_ferry")
    log_in(browser, "Grace")
    browser.click(href="action=edit&section=1")
    expect(browser, "08:00")
    save(browser, lambda old: old.replace("|}", "|-\r\n| harbour || island || 10:00\r\n|}"), "/* Timetable */ later boat")
    expect(browser, "10:00")
    browser.click(href="action=edit&section=2")
    save(browser, lambda old: old.replace("listed", "written down"), "/* Crew */", wpMinoredit="")
    expect(browser, "written down")


def grace_answers_on_a_talk_page(browser):
    browser.open("/index.php/The_dredger")
    log_in(browser, "Grace")
    browser.click("Discussion")
    browser.click("Add topic")
    save(browser, lambda _: "Five metres, I think. ~~~~\r\n", "Depth")
    expect(browser, "Five metres")
    browser.click("Edit")
    save(browser, lambda old: old + "\r\nOr four. ~~~~\r\n", "doubt")
    browser.click("View history")


def visitor_edits_without_account(browser):
    browser.open("/index.php/Help:Charts")
    browser.click("Edit")
    save(browser, lambda old: old.replace("missing", "GONE!!!"), "")
    expect(browser, "GONE!!!")
    browser.click("Contributions")


def alan_reverts_and_blocks(browser):
    browser.open("/index.php/Help:Charts")
    log_in(browser, "Alan")
    browser.click("View history")
    browser.click("undo")
    save(browser, lambda old: old, "nonsense")
    expect(browser, "Chart 7 is missing")
    browser.open("/index.php?title=Special:Block/192.0.2.7")
    think()
    browser.submit("wpEditingRestriction", "Block this user", **{"wpExpiry-other": "1 week", "wpReason-other": "nonsense"})
    expect(browser, "Block succeeded")
    browser.click("block list")
    browser.open("/index.php/Special:Unblock/192.0.2.7")
    browser.submit("wpTarget", "Remove this block", wpReason="he is sorry")


def grace_compares_revisions(browser):
    browser.open("/index.php/The_ferry")
    log_in(browser, "Grace")
    browser.click("View history")
    form = browser.page.form("mw-history-compare")
    revisions = [value for name, value in form.boxes if name == "oldid"]
    browser.send(form, None, {"diff": revisions[0], "oldid": revisions[-1]})
    expect(browser, "10:00")
    browser.click(href="diff=next")
    browser.click("View history")
    browser.click(href="oldid=", nth=1)
    browser.click("Recent changes")


def ada_uploads_a_picture(browser):
    browser.open("/index.php/The_dredger")
    log_in(browser, "Ada")
    browser.click("Upload file")
    think()
    browser.submit("mw-upload-form", "wpUpload", wpUploadFile=("Otter.png", PICTURE), wpDestFile="Otter.png", wpUploadDescription="The ''Otter'' at work")
    expect(browser, "at work")
    browser.open("/index.php/The_dredger")
    edit(browser, lambda old: "[[File:Otter.png|thumb|The Otter]]\r\n" + old, "with a picture")
    browser.click(href="File:Otter.png")
    browser.open("/index.php/Special:ListFiles")


def grace_moves_a_page(browser):
    browser.open("/index.php/The_lantern")
    log_in(browser, "Grace")
    browser.click("Move")
    think()
    browser.submit("movepage", "wpMove", wpNewTitleMain="The lighthouse", wpReason="it has a tower now")
    expect(browser, "has been moved")
    browser.open("/index.php/The_lantern")
    expect(browser, "Redirected from")
    browser.open("/index.php/The_lighthouse")
    edit(browser, lambda old: old.replace("The lantern", "The lighthouse"), "new name")


def ada_watches(browser):
    browser.open("/index.php/The_ferry")
    log_in(browser, "Ada")
    browser.click("Watch")
    browser.submit("wpEditToken", "OK")
    expect(browser, "watchlist")
    browser.click("Watchlist")
    browser.open("/index.php/Special:EditWatchlist/raw")
    browser.submit("wpTitles", "Update watchlist", wpTitles="The crane\r\nThe ferry\r\nMain Page")
    browser.click("Watchlist")


def grace_changes_her_preferences(browser):
    browser.open("/index.php/Main_Page")
    log_in(browser, "Grace")
    browser.click("Preferences")
    browser.submit("mw-prefs-form", "Save", wpnickname="Admiral Grace", wprealname="Grace Hopper", wpskin="monobook")
    browser.click("Main page")
    browser.open("/index.php?title=Special:ChangePassword")
    browser.submit("retype", "Change credentials", password=new_password("Grace"), retype=new_password("Grace"))
    expect(browser, "Your credentials have been changed")
    browser.open("/index.php?title=Special:ChangePassword")
    browser.submit("retype", "Change credentials", password=password("Grace"), retype=password("Grace"))
    browser.click("Preferences")
    browser.submit("mw-prefs-form", "Save", wpskin="vector")
    log_out(browser)


def alan_protects_and_deletes(browser):
    browser.open("/index.php/Main_Page")
    log_in(browser, "Alan")
    browser.click("Protect")
    think()
    browser.submit("mw-Protect-Form", "Confirm", **{"mwProtect-level-edit": "sysop", "mwProtect-level-move": "sysop", "mwProtect-reason": "it is the door"})
    browser.open("/index.php/User:Mary")
    browser.click("Delete")
    think()
    browser.submit("deleteconfirm", "wpConfirmB", wpReason="by request")
    expect(browser, "has been deleted")
    browser.open("/index.php?title=Special:Undelete&target=User:Mary")
    think()
    browser.submit("undelete", "restore", wpComment="a mistake")
    browser.open("/index.php/User:Mary")
    expect(browser, "count the stars")
    browser.click("Special pages")
    browser.click(href="Special:Log")


def alan_gives_rights(browser):
    browser.open("/index.php/Main_Page")
    log_in(browser, "Alan")
    browser.open("/index.php?title=Special:UserRights/Ada")
    think()
    browser.submit("mw-userrights-form2", "saveusergroups", **{"wpGroup-bureaucrat": "1", "user-reason": "she counts well"})
    browser.open("/index.php/Special:ListUsers")
    browser.submit("editsOnly", editsOnly="1")
    browser.open("/index.php/Special:Statistics")


def mary_finds_the_door_locked(browser):
    browser.open("/index.php/Main_Page")
    log_in(browser, "Mary")
    browser.click("View source")
    expect(browser, "protected")
    browser.click("Talk")
    browser.click("Create")
    save(browser, lambda _: "Write to me here.\r\n", "open")
    browser.click("Watchlist")
    log_out(browser)


def visitor_finds_what_is_new(browser):
    browser.open("/index.php/Main_Page")
    browser.click("Recent changes")
    browser.submit("searchform", "fulltext", search="Otter")
    browser.click("The dredger")
    browser.open("/index.php?title=Special:RecentChanges&days=30&limit=500&hidebots=0")
    browser.open("/index.php/Special:NewPages")


def two_at_one_page(ada, grace):
    """Two sessions at once, in two sections of a page: MediaWiki puts both changes together."""
    for browser, user in ((ada, "Ada"), (grace, "Grace")):
        browser.open("/index.php/The_ferry")
        log_in(browser, user)
    ada.click(href="action=edit&section=1")
    grace.click(href="action=edit&section=2")
    save(ada, lambda old: old.replace("08:00", "08:30"), "sleep longer")
    save(grace, lambda old: old.replace("Three", "Four"), "one more")
    expect(grace, "08:30")
    grace.click("View history")
    log_out(ada)


def log_in_chromium(browser, address, user, page):
    browser.open(address + page)
    browser.click("#pt-login a")
    browser.wait_for("document.querySelector('#wpName1')")
    browser.type("#wpName1", user)
    browser.type("#wpPassword1", password(user))
    browser.click("#wpLoginAttempt")
    browser.wait_for("document.querySelector('#pt-logout')")


def ada_in_chromium(browser, address):
    """With the application's own scripts: suggestions while she types, the star that watches a page, the editor."""
    log_in_chromium(browser, address, "Ada", "/index.php/The_crane")
    browser.wait_for("window.mw && mw.loader.getState('mediawiki.page.watch.ajax') === 'ready'")
    browser.click("#ca-watch a, #ca-unwatch a")
    browser.wait_for("document.querySelector('.mw-notification')")
    browser.type("#searchInput", "the fe")
    browser.wait_for("document.querySelector('.suggestions-result')")
    browser.open(address + "/index.php?title=The_crane&action=edit")
    browser.wait_for("document.querySelector('#wpTextbox1')")
    browser.type("#wpTextbox1", "\n\nNobody stands below it.")
    browser.type("#wpSummary", "safety")
    think()
    browser.click("#wpSave")
    browser.wait_for("document.body.innerText.includes('Nobody stands below it')")


def mary_in_chromium(browser, address):
    log_in_chromium(browser, address, "Mary", "/index.php/The_ferry")
    browser.click("#ca-talk a")
    browser.wait_for("document.querySelector('#wpTextbox1')")
    browser.type("#wpTextbox1", "Is there a boat at night? ~~~~")
    think()
    browser.click("#wpSave")
    browser.wait_for("document.body.innerText.includes('a boat at night')")
    browser.open(address + "/index.php/Special:RecentChanges")
    browser.wait_for("document.querySelector('.mw-changeslist-line')")
    browser.wait_for("window.mw && mw.loader.getState('mediawiki.page.ready') === 'ready'")
    browser.click("#pt-logout a")
    browser.wait_for("document.querySelector('#pt-login')")


EVERYBODY = [
    (visitor_looks_around, "firefox"),
    (visitor_searches, "chrome"),
    (visitor_reads_machine_formats, "chrome"),
    (ada_mistypes_her_password, "firefox"),
    (mary_registers, "phone"),
    (ada_edits_the_crane, "firefox"),
    (ada_creates_a_page, "firefox"),
    (grace_edits_a_section, "chrome"),
    (grace_answers_on_a_talk_page, "chrome"),
    (visitor_edits_without_account, "phone"),
    (alan_reverts_and_blocks, "firefox"),
    (grace_compares_revisions, "chrome"),
    (ada_uploads_a_picture, "firefox"),
    (grace_moves_a_page, "chrome"),
    (ada_watches, "firefox"),
    (grace_changes_her_preferences, "chrome"),
    (alan_protects_and_deletes, "firefox"),
    (alan_gives_rights, "firefox"),
    (mary_finds_the_door_locked, "phone"),
    (visitor_finds_what_is_new, "firefox"),
]

# Those of EVERYBODY that make a quick test: only those that others build on.
BRIEF = {
    visitor_looks_around,
    visitor_searches,
    visitor_reads_machine_formats,
    ada_mistypes_her_password,
    mary_registers,
    ada_edits_the_crane,
    ada_creates_a_page,
    grace_edits_a_section,
    visitor_edits_without_account,
    alan_reverts_and_blocks,
    grace_compares_revisions,
    grace_moves_a_page,
    ada_watches,
    alan_protects_and_deletes,
    mary_finds_the_door_locked,
    visitor_finds_what_is_new,
}

TOGETHER = [(two_at_one_page, "firefox", "chrome")]

IN_CHROMIUM = [ada_in_chromium, mary_in_chromium]
