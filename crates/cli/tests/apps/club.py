"""A club's pages behind a login that answers 200 to a wrong password, as many do: with the login form again.

Members are in data/members.json. CLUB_* in the environment make it another version of itself.
"""

import html
import http.server
import json
import os
import random
import re
import secrets
import sys
import time
import urllib.parse

DATA = "data/members.json"
FIRST = {"members": {"root": "correct-horse-9"}, "sessions": {}, "posts": {"1": ["root", "Opening hours of the hall"]}}


def load():
    if not os.path.exists(DATA):
        return json.loads(json.dumps(FIRST))
    with open(DATA) as file:
        return json.load(file)


class Club(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, text, status=200, kind="text/html; charset=utf-8", headers=()):
        os.makedirs("data", exist_ok=True)
        with open(DATA, "w") as file:
            json.dump(self.data, file)
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def page(self, title, body, headers=()):
        today = time.strftime("%A, %d %B %Y, %H:%M:%S")
        tips = ["rowing on the lake", "evenings of chess", "singing in the choir", "walks in the hills"]
        tip = random.choice(tips)
        self.answer(
            f"<title>{title} - The Club</title><nav><ul><li><a href='/'>Home</a><li><a href='/posts'>Posts</a></ul></nav>"
            f"<p class=now>It is {today}</p><p class=tip>Have you tried {tip}?</p>{body}"
            f"<p class=small>request {secrets.token_hex(16)} took {random.random():.4f} seconds</p>",
            headers=headers,
        )

    def login(self, why=""):
        self.page("Log in", f"<h1>Log in</h1><p>{why}</p><form action='/login' method=post><input name=user><input type=password name=password><button>Go</button></form>")

    def user(self):
        found = re.search(r"club=(\w+)", self.headers.get("cookie", ""))
        return self.data["sessions"].get(found.group(1)) if found else None

    def home(self, user, headers=()):
        self.page("Your page", f"<h1>Welcome, {html.escape(user)}</h1><p>Your fees are paid.</p><form action='/posts' method=post><input type=hidden name=csrf value='{secrets.token_hex(12)}'><textarea name=text></textarea></form>", headers)

    def do_GET(self):
        self.data = load()
        path = self.path.split("?")[0]
        if path == "/health":
            return self.answer("ok", kind="text/plain")
        user = self.user()
        if path == "/join":
            return self.page("Join", "<h1>Become a member</h1><form action='/join' method=post><input name=user><input type=password name=password></form>")
        if user is None:
            return self.login()
        if path == "/posts":
            rows = "".join(f"<li><a href='/posts/{at}'>{html.escape(text)}</a> by {html.escape(who)}" for at, (who, text) in self.data["posts"].items())
            return self.page("Posts", f"<h1>Posts of all members</h1><ul class=posts>{rows}</ul>")
        found = re.fullmatch(r"/posts/(\w+)", path)
        if found:
            post = self.data["posts"].get(found.group(1))
            if post is None:
                return self.answer("<h1>No such post</h1>", 404)
            return self.page("Post", f"<h1>A post</h1><p>{html.escape(post[1])}</p>")
        self.home(user)

    def do_POST(self):
        self.data = load()
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["content-length"] or 0)).decode()))
        if self.path in ("/login", "/join"):
            user = form["user"]
            if self.path == "/join":
                self.data["members"][user] = form["password"]
            if self.data["members"].get(user) != form["password"]:
                return self.login("Wrong name or password.")
            sid = secrets.token_hex(16)
            self.data["sessions"][sid] = user
            return self.home(user, [("set-cookie", f"club={sid}; Path=/")])
        user = self.user()
        if user is None:
            return self.login()
        at = str(int(time.time())) if os.environ.get("CLUB_SECONDS") else secrets.token_hex(8)
        if os.environ.get("CLUB_BROKEN"):
            return self.answer("<h1>Internal server error</h1>", 500)
        self.data["posts"][at] = [user, form["text"]]
        self.answer("", 303, headers=[("location", f"/posts/{at}")])


os.makedirs("data", exist_ok=True)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Club).serve_forever()
