"""What people do in Django's administration of the harbour's site: one function a session, each with a browser of its own."""

from people import address, expect, mistyped, new_password, password


def log_in(browser, user):
    browser.open("/admin/")
    browser.submit("password", username=user, password=password(user))
    expect(browser, "Site administration")


def log_out(browser):
    browser.click("Log out")
    expect(browser, "Logged out")


def visitor_reads(browser):
    browser.open("/about/")
    browser.click("Ferry")
    browser.click("Administration")
    browser.submit("password", username="alan", password=mistyped("alan"))
    expect(browser, "Please enter the correct username")


def alan_adds_mary(browser):
    log_in(browser, "alan")
    browser.click("Users")
    browser.click("Add user")
    browser.submit("password1", "_continue", username="mary", password1=password("mary"), password2=password("mary"))
    expect(browser, "was added successfully")
    browser.submit("first_name", "_save", first_name="Mary", last_name="Somerville", email=address("mary"), is_staff="on")
    expect(browser, "was changed successfully")
    log_out(browser)


def alan_makes_a_group(browser):
    log_in(browser, "alan")
    browser.click("Groups")
    browser.click("Add group")
    browser.submit("permissions", "_save", name="Readers", permissions=["21", "22"])
    expect(browser, "was added successfully")
    browser.click("Readers")
    browser.submit("permissions", "_save", name="Careful readers")
    browser.click("Careful readers")
    browser.click("History")
    log_out(browser)


def alan_searches(browser):
    log_in(browser, "alan")
    browser.click("Users")
    browser.submit("q", q="ada")
    expect(browser, "1 result")
    browser.click("ada")
    browser.click("Users")
    browser.click("Yes", href="is_superuser")
    browser.click("Home")
    browser.click("Users")
    browser.click("Username")
    log_out(browser)


def ada_writes_a_page(browser):
    log_in(browser, "ada")
    browser.click("Flat pages")
    browser.click("Add flat page")
    browser.submit("title", "_save", url="lantern", title="The lantern", content="It is new.", sites="1")
    expect(browser, "Please correct the error")
    browser.submit("title", "_save", url="/lantern/")
    expect(browser, "was added successfully")
    browser.open("/lantern/")
    expect(browser, "It is new.")
    browser.open("/admin/flatpages/flatpage/")
    browser.click("/lantern/")
    browser.submit("title", "_continue", content="It is new, and bright.")
    browser.open("/lantern/")
    browser.click("Administration")
    log_out(browser)


def ada_moves_a_page(browser):
    log_in(browser, "ada")
    browser.click("Add", href="/admin/redirects/")
    browser.submit("old_path", "_addanother", site="1", old_path="/boat/", new_path="/ferry/")
    browser.submit("old_path", "_save", site="1", old_path="/ship/", new_path="/ferry/")
    browser.open("/boat/")
    expect(browser, "It leaves at eight")
    browser.open("/admin/redirects/redirect/")
    browser.submit("action", action="delete_selected", _selected_action="2")
    expect(browser, "Are you sure?")
    browser.submit(("action", "delete_selected"))
    expect(browser, "Successfully deleted")
    log_out(browser)


def grace_changes_her_password(browser):
    log_in(browser, "grace")
    browser.click("Change password")
    browser.submit("old_password", old_password=password("grace"), new_password1=new_password("grace"), new_password2=new_password("grace"))
    expect(browser, "Your password was changed")
    log_out(browser)
    browser.click("Log in again")
    browser.submit("password", username="grace", password=new_password("grace"))
    browser.click("Log out")


def alan_helps_mary(browser):
    log_in(browser, "alan")
    browser.click("Users")
    browser.click("mary")
    browser.click("this form")
    browser.submit("password1", password1=password("kate"), password2=password("kate"))
    expect(browser, "Password changed successfully")
    browser.click("History")
    log_out(browser)


def alan_deletes_a_group(browser):
    log_in(browser, "alan")
    browser.click("Groups")
    browser.click("Careful readers")
    browser.click("Delete")
    browser.click("Careful readers")
    browser.click("Delete")
    browser.submit(("post", "yes"))
    expect(browser, "was deleted successfully")
    log_out(browser)


def alan_renames_the_site(browser):
    log_in(browser, "alan")
    browser.click("Sites", href="/site/")
    browser.click("harbour.test")
    browser.submit("domain", "_save", domain="port.test", name="The port")
    browser.click("Home")
    browser.click("port.test")
    browser.open("/admin/sites/site/add/")
    browser.submit("domain", "_save", domain="port.test", name="Twice")
    expect(browser, "already exists")
    log_out(browser)


def alan_dismisses_mary(browser):
    log_in(browser, "alan")
    browser.click("Users")
    browser.click("mary")
    browser.submit("first_name", "_save", is_active=None, is_staff=None)
    browser.click("mary")
    browser.click("Delete")
    browser.submit(("post", "yes"))
    expect(browser, "was deleted successfully")
    browser.click("Authentication and Authorization")
    log_out(browser)


EVERYBODY = [
    (visitor_reads, "firefox"),
    (alan_adds_mary, "chrome"),
    (alan_makes_a_group, "chrome"),
    (alan_searches, "chrome"),
    (ada_writes_a_page, "firefox"),
    (ada_moves_a_page, "firefox"),
    (grace_changes_her_password, "phone"),
    (alan_helps_mary, "chrome"),
    (alan_deletes_a_group, "chrome"),
    (alan_renames_the_site, "chrome"),
    (alan_dismisses_mary, "chrome"),
]
