"""What people do with the harbour's helpdesk: one function a session, each with a browser of its own."""

from people import address, expect, mistyped, password


def log_in(browser, user):
    browser.open("/")
    browser.click("Log In")
    browser.submit("password", username=user, password=password(user))
    expect(browser, "Logout")


def log_out(browser):
    browser.click("Logout")


def grace_reports(browser):
    browser.open("/")
    browser.submit("body", queue="2", title="A rope broke", body="At the second quay.", submitter_email=address("grace"))
    expect(browser, "A rope broke")
    browser.open("/")
    browser.submit("ticket", ticket="works-1", email=address("grace"))
    expect(browser, "The crane squeaks")


def visitor_reads_articles(browser):
    browser.open("/")
    browser.click("Knowledgebase")
    browser.click("View articles")
    browser.click(href="/kb/1/")
    expect(browser, "A bowline.")
    browser.click("other Mooring articles")
    browser.click(href="/kb/2/")


def ada_looks_around(browser):
    browser.open("/")
    browser.click("Log In")
    browser.submit("password", username="ada", password=mistyped("ada"))
    browser.submit("password", username="ada", password=password("ada"))
    expect(browser, "Logout")
    browser.click("Dashboard")
    browser.click("The crane squeaks")
    browser.click("Stats")
    browser.click("by Status")
    browser.click("RSS Feeds")
    log_out(browser)


def ada_answers(browser):
    log_in(browser, "ada")
    browser.click("Dashboard")
    browser.click("Take", href="/tickets/1/")
    browser.submit("comment", comment="I greased it.", new_status="3")
    expect(browser, "I greased it.")
    browser.click("Tickets")
    log_out(browser)


def ada_opens_a_ticket(browser):
    log_in(browser, "ada")
    browser.click("New Ticket")
    browser.submit("body", queue="1", title="Paint the shed", body="It is grey.", priority="4", assigned_to="1")
    expect(browser, "Paint the shed")
    browser.click("Edit")
    browser.submit("description", title="Paint the shed red", description="It is grey, and was red.")
    expect(browser, "Paint the shed red")
    log_out(browser)


def alan_searches(browser):
    log_in(browser, "alan")
    browser.submit("searchform", q="ferry")
    expect(browser, "The ferry is late")
    browser.click("The ferry is late")
    browser.click("Hold")
    browser.click("Unhold")
    log_out(browser)


def alan_sets_up(browser):
    log_in(browser, "alan")
    browser.click("User Settings")
    browser.submit("tickets_per_page", tickets_per_page="50", email_on_ticket_change=None)
    browser.click("System Settings")
    browser.click("E-Mail Ignore list")
    browser.click("Add an Email")
    browser.submit("email_address", queues="1", name="Rats", email_address="rats@example.org")
    log_out(browser)


def alan_shares(browser):
    log_in(browser, "alan")
    browser.click("The crane squeaks")
    browser.click("Manage")
    browser.click("Add an Email or Helpdesk User")
    browser.submit("email", email="crane@example.org", can_view="on")
    browser.open("/tickets/1/")
    browser.click("Add Dependency")
    browser.submit("depends_on", depends_on="2")
    log_out(browser)


def alan_saves_a_query(browser):
    log_in(browser, "alan")
    browser.click("Stats")
    browser.click("Ships")
    browser.submit("query_encoded", title="Ships", shared="on")
    expect(browser, "Ships")
    browser.click("Tickets")
    log_out(browser)


def ada_votes(browser):
    log_in(browser, "ada")
    browser.click("Knowledgebase")
    browser.click("View articles")
    browser.click(href="/kb/1/")
    browser.click(href="vote=up")
    log_out(browser)


def alan_deletes(browser):
    log_in(browser, "alan")
    browser.click("Dashboard")
    browser.click("Delete", href="/tickets/4/")
    browser.click("No, Don't Delete It")
    browser.click("Delete")
    browser.send(browser.page.forms[-1])
    browser.click("Tickets")
    log_out(browser)


EVERYBODY = [
    (grace_reports, "phone"),
    (visitor_reads_articles, "firefox"),
    (ada_looks_around, "firefox"),
    (ada_answers, "firefox"),
    (ada_opens_a_ticket, "firefox"),
    (alan_searches, "chrome"),
    (alan_sets_up, "chrome"),
    (alan_shares, "chrome"),
    (alan_saves_a_query, "chrome"),
    (ada_votes, "firefox"),
    (alan_deletes, "chrome"),
]
