"""What the members and the keeper of the tool shed do: see ../roaming.py. Each has some things to do, and does what the pages offer."""

from browser import Missing

MEMBERS = ["mia", "ben", "zoe", "tom"]
KEEPER = "kay"
TOOLS = 9


def visit(browser, chance):
    browser.open("/")
    who = chance.choices(["member", "keeper", "nobody"], [62, 30, 8])[0]
    if who == "nobody":
        for _ in range(chance.randint(1, 3)):
            look(browser, chance)
        browser.open(chance.choice(["/loans.php", "/notes.php", "/waiting.php", "/desk.php"]))
        return
    name = KEEPER if who == "keeper" else chance.choice(MEMBERS)
    log_in(browser, chance, name)
    weights = KEEPERS_WORK if who == "keeper" else MEMBERS_WISHES
    for _ in range(chance.randint(1, 3)):
        thing = chance.choices(list(weights), list(weights.values()))[0]
        try:
            thing(browser, chance)
        except Missing:
            # Nothing to do there today.
            browser.open("/index.php")
    if chance.random() < 0.4:
        browser.click("Log out")


def log_in(browser, chance, name):
    browser.click("Log in")
    if chance.random() < 0.08:
        browser.submit("password", name=name, password="forgotten")
    browser.submit("password", name=name, password=f"{name}-secret")


def one_form(browser, chance, button):
    """One of the forms that have this button."""
    forms = [form for form in browser.page.forms if any(button in label for label in form.buttons)]
    if not forms:
        raise Missing(f"nothing to {button} on {browser.page.url}")
    return chance.choice(forms)


def look(browser, chance):
    browser.open("/index.php")
    tools = [link for link in browser.page.links if link.href.startswith("tool.php")]
    if not tools:
        raise Missing("no tools")
    tool = chance.choice(tools)
    browser.click(href=tool.href)


def borrow(browser, chance):
    look(browser, chance)
    browser.click("Borrow it")
    days = chance.choices(["3", "2", "10", "14", "40", "0", "a week"], [30, 20, 12, 8, 3, 3, 3])[0]
    browser.submit(("step", "days"), "Next", days=days)
    browser.send(one_form(browser, chance, "Yes"), "Yes" if chance.random() < 0.9 else "No")


def wait(browser, chance):
    look(browser, chance)
    browser.click("Waiting")
    browser.submit(None, "Wait for the selected tool") if not stops(browser) else browser.send(one_form(browser, chance, "wait"), "wait")


def stops(browser):
    return len(browser.page.forms) > 1


def stop_waiting(browser, chance):
    browser.click("Waiting")
    browser.send(one_form(browser, chance, "stop"), "stop")


def cancel(browser, chance):
    browser.click("My loans")
    browser.send(one_form(browser, chance, "cancel"), "cancel")


def give_back(browser, chance):
    browser.click("My loans")
    damage = chance.choice(["the cable is torn", "blunt"]) if chance.random() < 0.25 else ""
    browser.send(one_form(browser, chance, "return"), "return", {"damage": damage})


def keep(browser, chance):
    browser.click("My loans")
    browser.send(one_form(browser, chance, "extend"), "extend")


def take_note(browser, chance):
    look(browser, chance)
    browser.click("Notes")
    browser.submit("body", body=chance.choice(["it is heavy", "works well", "the handle is loose"]))


def search(browser, chance):
    browser.open("/index.php")
    browser.submit("q", q=chance.choice(["Drill", "er", "Saw", "a"]))


def browse(browser, chance):
    browser.open("/index.php")
    for _ in range(chance.randint(1, 2)):
        browser.click(href=chance.choice(["kind=power", "kind=hand", "kind=", "order=name", "order=kind"]))


def compare(browser, chance):
    for _ in range(chance.randint(1, 3)):
        look(browser, chance)
        browser.click("Compare", href="add=")
    if chance.random() < 0.3:
        browser.click("remove")


def read_notices(browser, chance):
    browser.open("/index.php")
    browser.click("ok")


def change_me(browser, chance):
    browser.click("Me")
    what = chance.choice(["phone", "size", "password"])
    if what == "phone":
        browser.submit("phone", "phone", phone=chance.choice(["030 1234567", "+49 30 998877", "none"]))
    elif what == "size":
        browser.submit("size", "size", size=chance.choice(["3", "5", "50"]))
    else:
        browser.submit("old", "password", old="a guess", new="another-secret")


def decide(browser, chance):
    browser.click("Desk")
    for _ in range(chance.randint(1, 3)):
        browser.send(one_form(browser, chance, "hand-out"), "hand-out" if chance.random() < 0.8 else "refuse")


def add_tool(browser, chance):
    browser.click("Stock")
    browser.submit("name", "add", name=chance.choice(["Vice", "Wrench", ""]), kind=chance.choice(["hand", "power", "garden"]))


def change_kind(browser, chance):
    browser.click("Stock")
    browser.send(one_form(browser, chance, "kind"), "kind", {"kind": chance.choice(["hand", "power", "garden"])})


def retire(browser, chance):
    browser.click("Stock")
    browser.send(one_form(browser, chance, "retire"), "retire")


def mend(browser, chance):
    browser.click("Repairs")
    browser.send(one_form(browser, chance, "mend"), "mend" if chance.random() < 0.8 else "scrap", {"cost": chance.choice(["0", "15"])})


def look_after_members(browser, chance):
    browser.click("Members")
    browser.click(href=f"members.php?id={chance.randint(1, 5)}")
    if chance.random() < 0.5:
        what = chance.choices(["block", "paid", "leave"], [5, 4, 1])[0]
        browser.send(one_form(browser, chance, what), what)


def report(browser, chance):
    browser.click("Report")
    browser.click(href=chance.choice(["by=kind", "by=member", "as=csv"]))


MEMBERS_WISHES = {
    borrow: 30,
    look: 8,
    give_back: 18,
    cancel: 5,
    keep: 6,
    wait: 8,
    stop_waiting: 3,
    take_note: 6,
    search: 6,
    browse: 6,
    compare: 8,
    read_notices: 4,
    change_me: 6,
}
KEEPERS_WORK = {
    decide: 40,
    add_tool: 6,
    change_kind: 5,
    retire: 4,
    mend: 12,
    look_after_members: 12,
    report: 8,
    look: 4,
}
