"""What those who administer a mail server, and those who have an address on it, do: see ../roaming.py. They look around, and fill in what they find."""

import re

from browser import Missing
from people import address, password

PEOPLE = {
    "alan": ("/login.php", address("alan"), password("alan")),
    "ada": ("/login.php", address("ada"), password("ada")),
    "grace": ("/users/login.php", "grace@harbour.example", password("grace")),
    "mary": ("/users/login.php", "mary@lantern.example", password("mary")),
}
WORDS = ["crane", "ferry", "pilot", "quay", "tide"]
DOMAINS = ["harbour.example", "lantern.example", "tide.example"]


def visit(browser, chance):
    who = chance.choices(list(PEOPLE), [40, 32, 18, 10])[0]
    at, name, secret = PEOPLE[who]
    browser.open(at)
    if chance.random() < 0.1:
        browser.submit("fUsername", fUsername=name, fPassword="forgotten")
    browser.submit("fUsername", fUsername=name, fPassword=secret)
    for _ in range(chance.randint(4, 12)):
        try:
            take_a_step(browser, chance, at)
        except Missing:
            browser.open(at.replace("login", "main"))


def take_a_step(browser, chance, at):
    forms = [form for form in browser.page.forms if form.method == "POST"]
    if forms and chance.random() < 0.75:
        return fill_in(browser, chance, chance.choice(forms))
    links = [link for link in browser.page.links if is_worth(link.href, chance)]
    if not links or chance.random() < 0.05:
        raise Missing("nowhere to go from here")
    # Tables have many links of a kind: each kind is as likely.
    kinds = sorted({kind(link.href) for link in links})
    wanted = chance.choice(kinds)
    link = chance.choice([link for link in links if kind(link.href) == wanted])
    browser.click(href=link.href)


def kind(href):
    return re.sub(r"=[^&]*@[^&]*|token=\w+|=\d+", "=", href)


def is_worth(href, chance):
    if href.startswith(("http", "#", "javascript", "mailto")) or not re.search(r"\.php|^\?", href):
        return False
    rare = {"logout": 0.05, "delete": 0.4, "setup": 0, "sendmail": 0.3, "broadcast": 0.3, "backup": 0}
    return all(word not in href or chance.random() < share for word, share in rare.items())


def fill_in(browser, chance, form):
    typed = {}
    for name, value in form.fields:
        if isinstance(value, str) and name not in ("token", "table"):
            text = typing(name, value, chance)
            if text is not None:
                typed[name] = text
    button = chance.choice(form.buttons)[0] if form.buttons else None
    browser.send(form, button, typed)


def typing(name, value, chance):
    """What somebody types into a field; nothing where it stays as it is."""
    field = name.removeprefix("value[").removesuffix("]").removesuffix("][")
    if chance.random() < 0.15:
        return None
    if "password" in field.lower() or field.startswith("fPassword"):
        return chance.choices(["quay-side-77", "short", ""], [8, 1, 1])[0]
    words = {
        "local_part": chance.choice(WORDS),
        "localpart": chance.choice(WORDS),
        "username": f"{chance.choice(WORDS)}@example.org",
        "goto": chance.choice(["grace@harbour.example", "somebody@example.org", "nobody", "mary@lantern.example"]),
        "name": chance.choice(["Ann", "Bob"]),
        "domain": None if "." in value else chance.choice(DOMAINS),
        "description": "made by hand",
        "aliases": chance.choice(["2", "-1", "0", "many"]),
        "mailboxes": chance.choice(["2", "-1", "0"]),
        "quota": chance.choice(["5", "0", "500"]),
        "maxquota": chance.choice(["5", "0"]),
        "fSubject": "I am away",
        "fBody": "Back on Monday.",
        "fTo": "grace@harbour.example",
        "subject": "News",
        "message": "The crane works.",
        "src_server": "mail.example.org",
        "src_user": "grace",
        "src_password": "quay-side-77",
        "phone": chance.choice(["030 1234567", ""]),
        "fGoto": "somebody@example.org",
        "search[_]": chance.choice(WORDS),
    }
    return words.get(field)
