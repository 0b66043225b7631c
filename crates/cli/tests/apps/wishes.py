"""A list of wishes behind a login: a form with a select, radio buttons and a box to tick, in an SQLite file.

WISHES_FAULT in the environment makes it another version of itself: `kind` lists a wish without its kind, and `pair` forgets how urgent
a gift of time is, which nobody wished for when it was recorded.
"""

import html
import http.server
import os
import re
import secrets
import sqlite3
import sys
import urllib.parse

os.makedirs("data", exist_ok=True)


def database():
    connection = sqlite3.connect("data/wishes.db", timeout=20)
    connection.execute("CREATE TABLE IF NOT EXISTS wish (id INTEGER PRIMARY KEY, what TEXT, kind TEXT, urgent TEXT, gift TEXT)")
    connection.execute("CREATE TABLE IF NOT EXISTS login (sid TEXT PRIMARY KEY, name TEXT, token TEXT)")
    return connection


with database() as first:
    if not first.execute("SELECT count(*) FROM wish").fetchone()[0]:
        first.execute("INSERT INTO wish VALUES (1, 'a quiet afternoon', 'time', 'low', '')")
first.close()

FAULT = os.environ.get("WISHES_FAULT")
KINDS = ("book", "game", "time")
LOGIN = "<form method=post action=/login><label>Name <input name=user></label><label>Password <input type=password name=password></label><button>Log in</button></form>"


class Wishes(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, title, body, status=200, **fields):
        data = f"<title>{title}</title><h1>{title}</h1>{body}".encode() if title else b""
        self.send_response(status)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(data)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def go(self, place, **fields):
        self.answer("", "", 303, Location=place, **fields)

    def ask(self, statement, *values):
        db = database()
        with db:
            rows = db.execute(statement, values).fetchall()
        db.close()
        return rows

    def user(self):
        found = re.search(r"wishes=(\w+)", self.headers.get("cookie", ""))
        rows = self.ask("SELECT name, token, sid FROM login WHERE sid = ?", found.group(1)) if found else []
        return rows[0] if rows else None

    def row(self, n, what, kind, urgent, gift):
        if FAULT == "pair" and kind == "time" and gift:
            urgent = ""
        if FAULT == "kind":
            kind = ""
        return f"<li><a href=/wishes/{n}>{html.escape(what)}</a> <i>{kind}</i> <b>{urgent}</b> {gift}"

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        user = self.user()
        if path == "/":
            inside = "<a href=/wishes>Your wishes</a> <form method=post action=/logout><button>Log out</button></form>" if user else "<a href=/login>Log in</a>"
            return self.answer("Wishes", f"<p>What would you like?</p><a href=/about>About</a> {inside}")
        if path == "/about":
            return self.answer("About wishes", "<p>They cost nothing.</p><a href=/>Home</a>")
        if path == "/login":
            return self.answer("Who are you?", LOGIN)
        if not user:
            return self.go("/login")
        if path == "/wishes":
            rows = "".join(self.row(*wish) for wish in self.ask("SELECT * FROM wish ORDER BY id"))
            return self.answer("Your wishes", f"<ul>{rows}</ul><a href=/wishes/new>A new one</a> <a href=/>Home</a>")
        if path == "/wishes/new":
            kinds = "".join(f"<option>{kind}</option>" for kind in KINDS)
            return self.answer(
                "A new wish",
                f"<form method=post action=/wishes><input type=hidden name=token value={user[1]}><input name=what>"
                f"<select name=kind>{kinds}</select><input type=radio name=urgent value=low checked>low<input type=radio name=urgent value=high>high"
                "<input type=checkbox name=gift value=yes>a gift<button>Wish</button></form><a href=/wishes>Back</a>",
            )
        found = re.fullmatch(r"/wishes/(\d+)", path)
        rows = self.ask("SELECT what, kind, urgent, gift FROM wish WHERE id = ?", found.group(1)) if found else []
        if not rows:
            return self.answer("No such wish", "<a href=/wishes>Back</a>", 404)
        what, kind, urgent, gift = rows[0]
        self.answer("A wish", f"<p>{html.escape(what)}</p><p>It is a {kind}, its urgency is {urgent}{', as a gift' if gift else ''}.</p><a href=/wishes>Back</a>")

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers.get("content-length") or 0)).decode()))
        user = self.user()
        if self.path == "/login":
            if (form.get("user"), form.get("password")) != ("anna", "swordfish-and-chips"):
                return self.answer("Who are you?", "<p>Nobody of this name has this password.</p>" + LOGIN)
            sid = secrets.token_hex(16)
            self.ask("INSERT INTO login VALUES (?, 'anna', ?)", sid, secrets.token_hex(16))
            return self.go("/wishes", Set_Cookie=f"wishes={sid}; Path=/")
        if not user:
            return self.go("/login")
        if self.path == "/logout":
            self.ask("DELETE FROM login WHERE sid = ?", user[2])
            return self.go("/", Set_Cookie="wishes=; Max-Age=0; Path=/")
        if form.get("token") != user[1]:
            return self.answer("This form is too old", "<a href=/wishes>Back</a>", 403)
        self.ask("INSERT INTO wish (what, kind, urgent, gift) VALUES (?, ?, ?, ?)", form.get("what", ""), form.get("kind", ""), form.get("urgent", ""), form.get("gift", ""))
        self.go("/wishes")


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Wishes).serve_forever()
