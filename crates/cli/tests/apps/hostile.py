"""A site that a spider should not be let loose on: pages without an end, ways that go round in circles, links that delete,
forms that delete everything, pages that lie about what they are, and another site beside it that nobody may be sent to."""
import http.server, os, random, secrets, sqlite3, string, sys, time, urllib.parse

OTHER = os.environ.get("OTHER", "127.0.0.1:9")
os.makedirs("data/files", exist_ok=True)


def database():
    connection = sqlite3.connect("data/hostile.db", timeout=20)
    connection.execute("CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, name TEXT)")
    connection.execute("CREATE TABLE IF NOT EXISTS login (sid TEXT PRIMARY KEY, name TEXT)")
    return connection


with database() as db:
    if not db.execute("SELECT count(*) FROM item").fetchone()[0]:
        db.executemany("INSERT INTO item VALUES (?, ?)", [(n, f"thing {n}") for n in range(1, 8)])
    if not os.path.exists("data/files/note.txt"):
        open("data/files/note.txt", "w").write("kept\n")
db.close()


def word(length=9):
    return "".join(random.choice(string.ascii_lowercase) for _ in range(length))


HOME = f"""<title>Hostile \x1b[31m</title><h1>Hostile</h1>
<a href='/calendar?month=2026-11'>by month</a> <a href=/calendar/2026/11>by path</a>
<a href=/s/{secrets.token_hex(16)}/home>with a session</a> <a href=/t/{word()}/home>with a word</a>
<a href='/grow?a1=1'>grow</a> <a href=/circle/>circle</a> <a href=/loop/1>loop</a> <a href=/self>self</a>
<a href=/out>out</a> <a href='http://{OTHER}/link'>other</a> <a href='//{OTHER}/link'>other</a>
<a href='https://other.example/x'>elsewhere</a> <a href='http://evil.{"localhost"}/x'>elsewhere</a>
<a href='mailto:a@b.example'>mail</a> <a href='javascript:location="/from-script"'>script</a>
<a href='data:text/html,<a href=/from-data>x</a>'>data</a> <a href='tel:+1'>call</a> <a href='ftp://localhost/x'>file</a>
<a href=/huge>huge</a> <a href=/binary>binary</a> <a href=/picture>picture</a> <a href=/slow>slow</a> <a href=/cut>cut</a>
<a href='/delete?id=3'>x</a> <a href=/items/4/remove>x</a> <a href=/items>items</a> <a href=/nested>nested</a> <a href=/many>many</a>
<a href=/frames>frames</a> <a href=/logout>Log out</a> <a href=/login>log in</a> <a href=/wide>wide</a> <a href=/broken>broken</a>
<a href='/ctrl/\x1b[31m\x07x'>\x1b[31mred\x07</a> <a href='/ctrl/a%0d%0ab?x%1b=1'>line</a> <a href='http://[bad'>bad</a>
<form method=post action=/wipe><button>Start afresh</button></form>
<form action=/items/clear><input name=which value=all><button>Go</button></form>
<form method=post action=/logout><button>Go</button></form>
<form method=post action='http://{OTHER}/form'><input name=secret><button>Send</button></form>
<form method=post action=/items><input name=name><button formaction='http://{OTHER}/button'>A</button><button>Add</button></form>
"""
LOGIN = "<title>Who</title><form method=post action=/login><input name=user><input type=password name=pw><button>In</button></form>"
WIDE = "<title>Wide</title><form method=post action=/wide>" + "".join(
    f"<input name=field{word(6)}>" for _ in range(500)) + "".join(f"<button name=b{word(5)}>x</button>" for _ in range(12)) + "</form>"
CONTROLS = "<title>Names</title><form method=post action='/names'><input name='a\x1b[2J\x07b\r\nc'><input name=''><button name='\x1b]0;x\x07' value=1>\x1b[1mx</button></form>"


class Hostile(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, body, status=200, kind="text/html", **fields):
        data = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def go(self, place, **fields):
        self.answer("", 302, Location=place, **fields)

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def note(self):
        # What is asked for of another site is none of ours.
        with open("requests.log", "a") as log:
            log.write(f"{self.command} {self.path}\n")

    def write(self, statement, *values):
        db = database()
        with db:
            db.execute(statement, values)
        db.close()
        with open("writes.log", "a") as log:
            log.write(f"{self.command} {self.path}\n")

    def do_GET(self):
        self.note()
        url = urllib.parse.urlsplit(self.path)
        parts = url.path.split("/")[1:]
        query = dict(urllib.parse.parse_qsl(url.query))
        first = parts[0]
        if first == "":
            self.answer(HOME)
        elif first == "calendar" and len(parts) == 3:
            year, month = int(parts[1]), int(parts[2])
            self.answer(f"<title>Month</title><a href=/calendar/{year + month // 12}/{month % 12 + 1}>next</a>")
        elif first == "calendar":
            year, month = (int(part) for part in query.get("month", "2026-1").split("-"))
            self.answer(f"<title>Month</title><a href='?month={year + month // 12}-{month % 12 + 1}'>next</a>"
                        f"<a href='?month={year + 1}-{month}&view={word(5)}'>next year</a>")
        elif first == "s":
            links = "".join(f"<a href=/s/{secrets.token_hex(16)}/{page}>x</a>" for page in ("home", "about", word()))
            self.answer(f"<title>Session</title>{links}<a href='/x;jsessionid={secrets.token_hex(16)}'>x</a>")
        elif first == "t":
            self.answer("<title>Word</title>" + "".join(f"<a href=/t/{word()}/{page}/{page}>x</a>" for page in ("home", "about")))
        elif first.startswith("x;"):
            self.answer(f"<title>x</title><a href='/x;jsessionid={secrets.token_hex(16)}'>x</a>")
        elif first == "grow":
            self.answer(f"<title>Grow</title><a href='?{url.query}&a{len(query) + 1}=1'>more</a>"
                        f"<a href='?{url.query}&{word(4)}=1'>more</a>")
        elif first == "circle":
            self.answer("<title>Circle</title><a href='a/b/'>on</a><a href='../circle/c/'>on</a>")
        elif first == "loop":
            self.go(f"/loop/{int(parts[1]) % 3 + 1}")
        elif first == "self":
            self.go("/self")
        elif first == "out":
            self.go(f"http://{OTHER}/redirect")
        elif first == "huge":
            self.answer("<title>Huge</title>" + f"<p>{'word ' * 1000}</p><a href='/huge?part=1'>more</a>" * 2000)
        elif first == "binary":
            self.answer(bytes(range(256)) * 400 + b"<a href=/in-binary>x</a><form><select name=")
        elif first == "picture":
            self.answer("<a href=/in-picture>x</a>", kind="image/png")
        elif first == "slow":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            while True:
                self.wfile.write(b"<a href=/in-slow>x</a>")
                self.wfile.flush()
                time.sleep(0.1)
        elif first == "cut":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"<a href=/in-cut>x</a>")
            self.close_connection = True
        elif first == "broken":
            self.answer("<title>Broken</title><a href=/items>on</a>", 500)
        elif first == "delete":
            self.write("DELETE FROM item WHERE id = ?", query.get("id"))
            self.go("/items")
        elif first == "items" and parts[-1] in ("remove", "clear"):
            self.write("DELETE FROM item")
            self.answer("<title>Gone</title><a href=/items>back</a>")
        elif first == "items":
            db = database()
            items = db.execute("SELECT id, name FROM item").fetchall()
            db.close()
            self.answer("<title>Items</title>" + "".join(f"<a href='/delete?id={n}'>{name}</a>" for n, name in items)
                        + "<a href=/>home</a>")
        elif first == "nested":
            self.answer("<title>Nested</title>" + "<div><b><table><form><a href=/in-nested>" * 8000 + "<p title='never closed <a href=/no>")
        elif first == "in-nested":
            self.answer("<title>In</title>" + "<" * 5000 + "<a href=/items><a href=/items" + "<select><option>" * 3000)
        elif first == "many":
            self.answer("<title>Many</title>" + "".join(f"<a href=/word/{word()}>x</a><a href='/entry?id={n}&{word(3)}'>x</a>" for n in range(3000)))
        elif first in ("word", "entry"):
            self.answer(f"<title>Word</title><a href=/word/{word()}/{word()}>deeper</a>")
        elif first == "frames":
            self.answer(f"<title>Frames</title><meta http-equiv=refresh content='0; url=http://{OTHER}/refresh'>"
                        f"<iframe src='http://{OTHER}/frame'></iframe><iframe src=/frames></iframe><img src='http://{OTHER}/img'>"
                        f"<base href='http://{OTHER}/'><a href=relative>x</a><form method=post><button>x</button></form>")
        elif first == "wide":
            self.answer(WIDE)
        elif first == "login":
            self.answer(LOGIN)
        elif first == "ctrl":
            self.answer(CONTROLS)
        elif first == "logout":
            self.write("DELETE FROM login")
            self.go("/", Set_Cookie="sid=; Max-Age=0")
        elif first == "inside":
            self.answer("<title>Inside</title><a href=/inside/secret>secret</a><a href=/logout>Log out</a>" + HOME)
        else:
            self.answer("<title>Not there</title>", 404)

    def do_POST(self):
        self.note()
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers.get("content-length", 0))).decode("utf-8", "replace"))
        if self.path == "/login":
            sid = secrets.token_hex(12)
            self.write("INSERT INTO login VALUES (?, ?)", sid, form.get("user", [""])[0])
            return self.go("/inside", Set_Cookie=f"sid={sid}; Path=/")
        if self.path == "/wipe":
            self.write("DELETE FROM item")
            for name in os.listdir("data/files"):
                os.remove(os.path.join("data/files", name))
            return self.go("/")
        if self.path == "/logout":
            self.write("DELETE FROM login")
            return self.go("/", Set_Cookie="sid=; Max-Age=0")
        self.write("INSERT INTO item (name) VALUES (?)", " ".join(form.get("name", ["?"]))[:99])
        open(f"data/files/{word()}", "w").write("new\n")
        self.go("/items")


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Hostile).serve_forever()
