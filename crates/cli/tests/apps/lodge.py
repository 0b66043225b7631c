"""A lodge that lets rooms, in several versions: users log in, search, book, cancel, change their settings and log out. Data is in SQLite.

Environment: CHANGES names what a version does otherwise, in words:
renamed   the search asks for `title` and `town` where it asked for `name`
moved     the form to book with is on a page of its own
gone      there is no page of rules, and none leads to it
confirm   whoever cancels is asked whether to
button    to log out is a form that is sent, no link, and a page says good-bye
fields    the settings have more fields, one of them required, and lead to the account
once      whoever has booked is refused everything until she begins anew, without a cookie
"""

import http.server
import os
import secrets
import sqlite3
import sys
from urllib.parse import parse_qs, urlsplit

CHANGES = os.environ.get("CHANGES", "").split()
DATABASE = sqlite3.connect("lodge.db", check_same_thread=False)
DATABASE.executescript(
    "CREATE TABLE IF NOT EXISTS booking (id INTEGER PRIMARY KEY, guest TEXT, room INTEGER, day TEXT);"
    "CREATE TABLE IF NOT EXISTS setting (guest TEXT PRIMARY KEY, nights TEXT, letter TEXT);"
)
DATABASE.commit()
ROOMS = {1: "Heron with a view of the lake", 2: "Otter beside the boathouse", 3: "Beaver under the roof"}
GUESTS, OVER = {}, set()


def changed(word):
    return word in CHANGES


class Lodge(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_GET(self):
        self.serve({})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        self.serve({name: values[-1] for name, values in parse_qs(body, keep_blank_values=True).items()})

    def send(self, status, body="", **fields):
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        if self.fresh:
            self.send_header("Set-Cookie", f"lodge={self.key}; Path=/")
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def page(self, title, body):
        if not self.guest:
            end = '<a href="/login">Log in</a>'
        elif changed("button"):
            end = '<form method="post" action="/logout"><input type="hidden" name="sure" value="1"><button>Log out</button></form>'
        else:
            end = '<a href="/logout">Log out</a>'
        rules = "" if changed("gone") else '<a href="/rules">House rules</a>'
        own = '<a href="/account">My stays</a> <a href="/settings">Settings</a>' if self.guest else ""
        self.send(200, f"<title>{title} - Lodge</title><nav><a href='/'>Lodge</a> <a href='/rooms'>Rooms</a> <a href='/find'>Find</a> {rules} {own} {end}</nav>"
                       f"<h1>{title}</h1>{body}")

    def to(self, path):
        self.send(303, Location=path)

    def serve(self, form):
        cookies = dict(c.strip().split("=", 1) for c in self.headers.get("cookie", "").split(";") if "=" in c)
        self.key = cookies.get("lodge", "")
        self.fresh = not self.key
        self.key = self.key or secrets.token_hex(12)
        self.guest = GUESTS.get(self.key)
        if self.key in OVER:
            return self.send(403, "<title>Over</title><h1>Your visit is over</h1>")
        url = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(url.query, keep_blank_values=True).items()}
        first, *rest = url.path.strip("/").split("/")
        answer = getattr(self, f"{self.command.lower()}_{first or 'home'}", None)
        if answer is None or (first == "rules" and changed("gone")):
            return self.send(404, "<title>Nothing here</title><h1>Nothing here</h1>")
        answer(rest, query, form)

    def get_home(self, *_):
        self.page("Welcome to the lodge", "<p>Three rooms between the lake and the wood.</p>")

    def get_login(self, *_):
        self.page("Who are you?", '<form method="post" action="/login"><input name="user"><input type="password" name="password"><button>Log in</button></form>')

    def post_login(self, rest, query, form):
        if form.get("password") != "quiet-otter-" + form.get("user", ""):
            return self.get_login()
        GUESTS[self.key] = form["user"]
        self.to("/account")

    def get_logout(self, *_):
        if changed("button"):
            return self.send(405, "<title>Not so</title><h1>Not so</h1>")
        GUESTS.pop(self.key, None)
        self.to("/")

    def post_logout(self, *_):
        self.guest = GUESTS.pop(self.key, None) and None
        self.page("Good-bye", "<p>Come again soon.</p>")

    def get_rooms(self, *_):
        self.page("Our rooms", "".join(f'<p><a href="/room/{n}">{name}</a></p>' for n, name in ROOMS.items()))

    def get_room(self, rest, *_):
        room = int(rest[0])
        form = f'<form method="post" action="/book"><input type="hidden" name="room" value="{room}"><input type="date" name="day"><button>Book</button></form>'
        if rest[1:] == ["stay"]:
            return self.page("When will you come?", form)
        if changed("moved"):
            form = f'<a href="/room/{room}/stay">Stay here</a>'
        self.page(ROOMS[room], f"<p>Two beds, breakfast from seven.</p>{form if self.guest else 'Log in to book.'}")

    def post_book(self, rest, query, form):
        if not self.guest:
            return self.to("/login")
        DATABASE.execute("INSERT INTO booking (guest, room, day) VALUES (?, ?, ?)", (self.guest, form["room"], form["day"]))
        DATABASE.commit()
        if changed("once"):
            OVER.add(self.key)
        self.to("/account")

    def get_account(self, *_):
        if not self.guest:
            return self.to("/login")
        rows = DATABASE.execute("SELECT id, room, day FROM booking WHERE guest = ? ORDER BY id", (self.guest,)).fetchall()
        stays = "".join(f'<li>{ROOMS[room]} on {day} <form method="post" action="/cancel"><input type="hidden" name="stay" value="{id}"><button>Cancel</button></form></li>'
                        for id, room, day in rows)
        self.page(f"The stays of {self.guest}", f"<ul>{stays}</ul>")

    def post_cancel(self, rest, query, form):
        if changed("confirm") and form.get("really") != "yes":
            return self.page("Cancel this stay?", f'<form method="post" action="/cancel"><input type="hidden" name="stay" value="{form["stay"]}">'
                                                  '<input type="hidden" name="really" value="yes"><button>Yes, cancel it</button></form>')
        DATABASE.execute("DELETE FROM booking WHERE id = ? AND guest = ?", (form["stay"], self.guest))
        DATABASE.commit()
        self.to("/account")

    def get_find(self, rest, query, form):
        name, known = ("title", "town") if changed("renamed") else ("name", None)
        more = f'<input name="{known}">' if known else ""
        found = ""
        if name in query:
            hits = [f'<p><a href="/room/{n}">{text}</a></p>' for n, text in ROOMS.items() if query[name] and query[name].lower() in text.lower()]
            found = f"<h2>{len(hits)} found for {query[name]}</h2>" + "".join(hits)
        self.page("Find a room", f'<form action="/find"><input name="{name}">{more}<button>Search</button></form>{found}')

    def get_rules(self, *_):
        self.page("House rules", "<p>No fires. No drums after ten. Boats are back before dusk.</p>")

    def get_settings(self, *_):
        if not self.guest:
            return self.to("/login")
        nights = (DATABASE.execute("SELECT nights FROM setting WHERE guest = ?", (self.guest,)).fetchone() or ("1",))[0]
        more = ""
        if changed("fields"):
            more = ('<input type="hidden" name="was" value="1"><select name="language" required><option value="">choose<option>en<option>fr</select>'
                    '<input name="pillows" value="2"><input type="checkbox" name="cot"><input name="arrival" value="noon">')
        self.page("Settings", f'<form method="post" action="/settings"><input name="nights" value="{nights}"><input type="checkbox" name="letter">{more}<button>Save</button></form>')

    def post_settings(self, rest, query, form):
        if changed("fields") and not form.get("language"):
            return self.get_settings()
        DATABASE.execute("REPLACE INTO setting VALUES (?, ?, ?)", (self.guest, form["nights"], form.get("letter")))
        DATABASE.commit()
        self.get_settings() if not changed("fields") else self.to("/account")


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Lodge).serve_forever()
