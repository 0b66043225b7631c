"""What those who work on tickets, and those who open them, do with a helpdesk: see ../roaming.py. They look around, and fill in what they find."""

import re

from browser import Missing
from people import address, mistyped, password

STAFF = ["alan", "ada"]
TITLES = ["A rope broke", "Paint the shed", "The lamp flickers", "No boat today"]
COMMENTS = ["I greased it.", "Please wait.", "It works again.", "Ask {{ queue.title }} about {{ ticket.title }}."]


def visit(browser, chance):
    who = chance.choices(["alan", "ada", "grace", "nobody"], [32, 36, 8, 24])[0]
    browser.open("/")
    if who != "nobody":
        browser.click("Log In")
        if chance.random() < 0.1:
            browser.submit("password", username=who, password=mistyped(who))
        browser.submit("password", username=who, password=password(who))
    for _ in range(chance.randint(5, 14)):
        try:
            take_a_step(browser, chance, who in STAFF)
        except Missing:
            browser.open("/")


def take_a_step(browser, chance, works):
    if works and chance.random() < 0.25:
        return look_at_a_ticket(browser, chance)
    forms = [form for form in browser.page.forms if form.method == "POST" or chance.random() < 0.2]
    forms = [form for form in forms if "language" not in form.names and "searchform" not in form.id]
    if forms and chance.random() < 0.65:
        return fill_in(browser, chance, chance.choice(forms))
    links = [link for link in browser.page.links if is_worth(link.href, chance)]
    if not links or chance.random() < 0.05:
        raise Missing("nowhere to go from here")
    # Lists have many links of a kind: each kind is as likely.
    kinds = sorted({kind(link.href) for link in links})
    wanted = chance.choice(kinds)
    browser.click(href=chance.choice([link for link in links if kind(link.href) == wanted]).href)


def look_at_a_ticket(browser, chance):
    browser.open(chance.choice(["/dashboard/", "/tickets/", "/tickets/?status=3&status=4&status=5"]))
    tickets = [link for link in browser.page.links if re.fullmatch(r"(.*/)?tickets/\d+/?", link.href)]
    if not tickets:
        raise Missing("no tickets")
    browser.click(href=chance.choice(tickets).href)


def kind(href):
    return re.sub(r"\d+", "", href)


def is_worth(href, chance):
    if not href or href.startswith(("http", "#", "javascript", "mailto", "/admin", "/media")) or "change_language" in href:
        return False
    rare = {"logout": 0.05, "delete": 0.4, "password_change": 0.2, "rss": 0.3, "tickets/submit": 0.5, "kb": 0.5, "ignore": 0.5, "help/context": 0.2}
    return all(word not in href or chance.random() < share for word, share in rare.items())


def fill_in(browser, chance, form):
    typed = {}
    for name in sorted(form.names - {None, ""}):
        text = typing(name, form, chance)
        if text is not None:
            typed[name] = text
    button = chance.choice(form.buttons)[0] if form.buttons else None
    browser.send(form, button or None, typed)


def typing(name, form, chance):
    """What somebody types into a field, or ticks; nothing where it stays as it is."""
    boxes = [value for box, value in form.boxes if box == name]
    if name == "ticket_id":
        return chance.sample(boxes, min(len(boxes), chance.randint(1, 2)))
    if name == "public":
        return boxes if chance.random() < 0.7 else []
    if name == "new_status":
        return chance.choice([boxes, boxes[:1], boxes[1:2], boxes[-1:]])[:1] or None
    if boxes:
        return boxes if chance.random() < 0.5 else []
    if name in ("old_password", "new_password1", "new_password2"):
        return "a-guess" if name == "old_password" else "another-quay-77"
    words = {
        "title": chance.choice(TITLES),
        "body": "At the second quay.",
        "description": "It is grey, and was red.",
        "comment": chance.choice([*COMMENTS, ""]),
        "resolution": "It was painted.",
        "queue": chance.choice(["1", "2"]),
        "priority": chance.choice(["1", "2", "3", "4", "5"]),
        "due_date": chance.choice(["", "2027-01-05", "soon"]),
        "owner": chance.choice(["0", "1", "2"]),
        "assigned_to": chance.choice(["", "1", "2"]),
        "submitter_email": chance.choice([address("grace"), address("ada"), "nobody", ""]),
        "action": chance.choice(["take", "unassign", "close", "close_public", "delete", "assign_1", "assign_2"]),
        "depends_on": chance.choice(["1", "2", "3", "4"]),
        "user": chance.choice(["1", "2", "3"]),
        "email": chance.choice([address("grace"), "crane@example.org", "nobody"]),
        "email_address": chance.choice(["rats@example.org", "*@example.net"]),
        "name": "Rats",
        "queues": chance.choice(["1", "2"]),
        "ticket": chance.choice(["works-1", "works-2", "ships-3", "works-4", "ships-77", "works"]),
        "q": chance.choice(["ferry", "crane", "works-2", "3", "grey"]),
        "sort": chance.choice(["created", "title", "queue", "status", "priority", "assigned_to"]),
        "status": chance.choice(["1", "3", "4"]),
        "date_from": chance.choice(["", "2026-01-01", "yesterday"]),
        "tickets_per_page": chance.choice(["10", "25", "50"]),
        "username": None,
        "password": None,
    }
    return words.get(name) if chance.random() < 0.9 else None
