"""An application of one page, whose scripts ask for all the rest: with a token out of the page, and ids out of earlier answers.

A token is good for one login. requests.log has every request for something else than the page, and whether it was taken.
"""
import http.server, json, os, secrets, sys, urllib.parse

DATA = "data/state.json"
os.makedirs("data", exist_ok=True)


def load():
    if not os.path.exists(DATA):
        return {"sessions": {}, "lists": {str(100 + n): f"list {n}" for n in range(3)}, "notes": {}, "next": 200}
    with open(DATA) as file:
        return json.load(file)


def save(state):
    with open(DATA + ".new", "w") as file:
        json.dump(state, file)
    os.replace(DATA + ".new", DATA)


LOGIN = ("<title>Door</title><h1>Door</h1><a href=/about>About</a><form method=post action=/login><input name=user><input type=password name=pw>"
         "<button>In</button></form><form method=post action=/register><input name=user><input type=password name=pw><button>Register</button></form>")


class Scripted(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, status=200, kind="text/html", **fields):
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind if isinstance(body, str) else "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def session(self, state):
        cookies = dict(pair.strip().split("=", 1) for pair in self.headers.get("cookie", "").split(";") if "=" in pair)
        return state["sessions"].get(cookies.get("sid", ""))

    def note(self, taken, does=""):
        with open("requests.log", "a") as log:
            log.write(f"{self.command} {self.path} {does} {'taken' if taken else 'refused'}\n")

    def do_GET(self):
        state = load()
        session = self.session(state)
        path, _, query = self.path.partition("?")
        query = dict(urllib.parse.parse_qsl(query))
        if path == "/about":
            return self.answer("<title>About</title><meta http-equiv=refresh content='5; url=/news'>About")
        if path == "/news":
            return self.answer("<title>News</title><p onclick=\"location.href='/imprint'\">News</p>")
        if path == "/imprint":
            return self.answer("<title>Imprint</title>")
        if path == "/feed":
            right = query.get("key") in {one["key"] for one in state["sessions"].values()}
            self.note(right)
            return self.answer("<title>Feed</title>" if right else {"error": "no"}, 200 if right else 403)
        if session is None:
            return self.answer(LOGIN)
        if path == "/":
            return self.answer(f"<title>Desk</title><h1>Desk</h1><script>var token = '{session['token']}';</script><div id=app></div>"
                               "<a href='/vanish?n=100' onclick=\"return confirm('Sure?')\"><i class=icon-bin></i></a>"
                               "<form method=post action=/note><input name=title><button>Write</button></form>")
        if path == "/vanish":
            self.note(True)
            state["lists"].pop(query.get("n"), None)
            save(state)
            return self.answer("<title>Well</title>")
        if path.startswith("/note/"):
            number = path.split("/")[2]
            return self.answer(f"<title>Note</title><script>var token = '{session['token']}', note = {number};</script>"
                               if number in state["notes"] else "<title>None</title>", 200 if number in state["notes"] else 404)
        if path.startswith("/list/"):
            name = state["lists"].get(path.split("/")[2])
            return self.answer(f"<title>{name}</title><form method=post action=/rename><input name=name><button>Rename</button></form>"
                               if name else "<title>None</title>", 200 if name else 404)
        self.answer("<title>Not there</title>", 404)

    def do_POST(self):
        state = load()
        text = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        form = dict(urllib.parse.parse_qsl(text))
        if self.path == "/login":
            if form.get("pw") != "moth-lantern":
                return self.answer(LOGIN, 403)
            sid = secrets.token_hex(16)
            state["sessions"][sid] = {"token": secrets.token_hex(16), "key": secrets.token_hex(16)}
            save(state)
            return self.answer("", 302, Location="/", Set_Cookie=f"sid={sid}; Path=/")
        if self.path == "/register":
            # Somebody has to say yes first: nobody is logged in.
            return self.answer("", 302, Location="/")
        session = self.session(state)
        if self.path == "/note":
            if session is None:
                return self.answer(LOGIN, 403)
            number = str(secrets.randbelow(10 ** 6) + 1000)
            state["notes"][number] = form.get("title", "")
            save(state)
            return self.answer("", 302, Location=f"/note/{number}")
        right = session is not None and form.get("token") == session["token"]
        does = form.get("op", "")
        number = form.get("list", "")
        if does in ("show", "drop"):
            right = right and number in state["lists"]
        if does == "mark":
            right = right and form.get("note") in state["notes"]
        self.note(right, does)
        if not right:
            return self.answer({"error": "no"}, 403)
        if does == "lists":
            return self.answer({"lists": [{"list": int(n), "name": name} for n, name in state["lists"].items()]})
        if does == "add":
            number = str(state["next"])
            state["next"] += 1
            state["lists"][number] = form.get("name", "")
            save(state)
            return self.answer({"list": int(number)})
        if does == "show":
            return self.answer({"list": int(number), "page": f"/list/{number}", "name": state["lists"][number]})
        if does == "mark":
            return self.answer({"marked": int(form["note"])})
        if does == "drop":
            del state["lists"][number]
            save(state)
            return self.answer({"dropped": int(number)})
        if does == "key":
            return self.answer({"feed": {"key": session["key"]}})
        if does == "logout":
            state["sessions"] = {}
            save(state)
            return self.answer({"bye": True})
        self.answer({"error": "what?"}, 400)


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Scripted).serve_forever()
