"""An office that boss and clerk log in to: lists that can be filtered and sorted in very many ways, mails with boxes to tick, and what only shows once something was done.

requests.log has every request with its Referer.
"""
import http.server, itertools, json, os, secrets, sys, urllib.parse

DATA = "data/state.json"
os.makedirs("data", exist_ok=True)
LISTS = ["bills", "cars", "desks", "keys", "rooms", "tools"]
FILTERS = ["sort", "dir", "size", "view", "since", "until"]
STEPS = ["cellar", "stairs", "corridor", "vault", "shelf", "box"]


def load():
    if not os.path.exists(DATA):
        return {"sessions": {}, "mails": {"1": "inbox", "2": "inbox", "3": "archive"}, "next": 10}
    with open(DATA) as file:
        return json.load(file)


def save(state):
    with open(DATA + ".new", "w") as file:
        json.dump(state, file)
    os.replace(DATA + ".new", DATA)


LOGIN = "<title>Door</title><form method=post action=/login><input name=user><input type=password name=pw><button>In</button></form>"


def menu(user):
    links = ["/inbox", *(f"/list/{name}" for name in LISTS), "/cellar"]
    links += ["/archive", "/junk", "/staff", "/safe"] if user == "boss" else ["/desk"]
    return "".join(f"<a href={link}>{link}</a> " for link in links)


class Office(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, status=200, **fields):
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body.encode())))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body.encode())

    def user(self, state):
        with open("requests.log", "a") as log:
            log.write(f"{self.command} {self.path} {self.headers.get('referer', '-')}\n")
        cookies = dict(pair.strip().split("=", 1) for pair in self.headers.get("cookie", "").split(";") if "=" in pair)
        return state["sessions"].get(cookies.get("sid", ""))

    def mails(self, state, place):
        rows = "".join(f"<input type=checkbox name='ids[]' value={n}> <a href='/spam?id={n}'>spam</a> "
                       for n, where in state["mails"].items() if where == place)
        return (f"<form method=post action=/act><input type=hidden name=back value=/{place}>{rows}<select name=do><option value=''>-<option>read</select>"
                "<button>Do</button></form>")

    def do_GET(self):
        state = load()
        user = self.user(state)
        path, _, query = self.path.partition("?")
        query = dict(urllib.parse.parse_qsl(query))
        if user is None:
            return self.answer(LOGIN)
        page = f"<title>{path}</title>{menu(user)}"
        if path == "/":
            return self.answer(page + "<form method=post action=/mail><input name=subject><button>Write</button></form>")
        if path.startswith("/list/"):
            combinations = [c for size in (1, 2, 3) for c in itertools.combinations(FILTERS, size)]
            links = "".join("<a href='?" + "&".join(f"{name}=x" for name in c) + "'>x</a> " for c in combinations)
            return self.answer(page + links)
        if path[1:] in ("inbox", "archive"):
            return self.answer(page + self.mails(state, path[1:]))
        if path == "/spam":
            state["mails"][query.get("id")] = "junk"
            save(state)
            return self.answer("", 302, Location="/inbox?gone=1")
        if path == "/junk":
            some = "junk" in state["mails"].values()
            return self.answer(page + ("<form method=post action=/junk/empty><button name=all>Burn</button></form>" if some else ""))
        if path[1:] in STEPS:
            after = STEPS.index(path[1:]) + 1
            return self.answer(page + (f"<a href=/{STEPS[after]}>on</a>" if after < len(STEPS) else ""))
        self.answer(page)

    def do_POST(self):
        state = load()
        user = self.user(state)
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers.get("content-length", 0))).decode())
        one = lambda name: form.get(name, [""])[0]
        if self.path == "/login":
            if one("pw") != "moth-lantern" or one("user") not in ("boss", "clerk"):
                return self.answer(LOGIN, 403)
            sid = secrets.token_hex(16)
            state["sessions"][sid] = one("user")
            save(state)
            return self.answer("", 302, Location="/", Set_Cookie=f"sid={sid}; Path=/")
        if user is None:
            return self.answer(LOGIN, 403)
        if self.path == "/mail":
            state["mails"][str(state["next"])] = "inbox"
            state["next"] += 1
            save(state)
            return self.answer("", 302, Location="/inbox")
        if self.path == "/act":
            # Without a ticked row there is nothing to do.
            known = [n for n in form.get("ids[]", []) if n in state["mails"]]
            return self.answer("", 302, Location=one("back") + ("?done=1" if known and one("do") else ""))
        if self.path == "/junk/empty":
            state["mails"] = {n: where for n, where in state["mails"].items() if where != "junk"}
            save(state)
            return self.answer("", 302, Location="/junk?emptied=1")
        self.answer("", 404)


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Office).serve_forever()
