"""A market stall in two releases, the second with much in another place: STALL=2 in the environment is the second.

What is different then: one logs in on the home page, and with another field; goods are searched by title and author; the
catalogue has another address; the news are gone; nothing on the home page leads to the help any more, but the catalogue
does; a telephone number is asked for with an order, and orders are confirmed on a page of their own.
"""

import html
import http.server
import json
import os
import re
import secrets
import sys
import urllib.parse

SECOND = os.environ.get("STALL") == "2"
DATA = "data/stall.json"
GOODS = {"1": ("Poetry for the road", "Hart"), "2": ("A field guide to ferns", "Moss"), "3": ("Prose at noon", "Hart")}
CATALOGUE = "/catalogue" if SECOND else "/browse"


def load():
    if not os.path.exists(DATA):
        return {"sessions": {}, "orders": {}, "carts": {}}
    with open(DATA) as file:
        return json.load(file)


class Stall(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, text, status=200, headers=()):
        os.makedirs("data", exist_ok=True)
        with open(DATA, "w") as file:
            json.dump(self.data, file)
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def page(self, title, body, status=200, headers=()):
        self.answer(f"<title>{title} - The stall</title><nav><a href='/'>Home</a> <a href='/cart'>Cart</a></nav><h1>{title}</h1>{body}", status, headers)

    def to(self, address, headers=()):
        self.answer("", 303, [("location", address), *headers])

    def session(self):
        found = re.search(r"stall=(\w+)", self.headers.get("cookie", ""))
        return found.group(1) if found else None

    def user(self):
        return self.data["sessions"].get(self.session())

    def token(self):
        return f"<input type=hidden name=token value={secrets.token_hex(12)}>"

    def login_form(self):
        name = "login" if SECOND else "user"
        return f"<form method=post action='/login'>{self.token()}<input name={name}><input type=password name=password><button>Log in</button></form>"

    def home(self, why=""):
        user = self.user()
        greeting = f"<p>Welcome back, {html.escape(user)}. <a href='/account'>Your account</a></p>" if user else ""
        if SECOND:
            login = "" if user else self.login_form()
            search = "<form action='/find'><input name=title><input name=author><button>Find</button></form>"
            links = f"<a href='{CATALOGUE}'>All goods</a>"
        else:
            login = "" if user else "<a href='/login'>Log in</a>"
            search = "<form action='/find'><input name=name><button>Find</button></form>"
            links = f"<a href='{CATALOGUE}'>All goods</a> <a href='/news'>News of the stall</a> <a href='/help'>Help for buyers</a>"
        self.page("The market stall", f"<p>Books and more, every day but Sunday.</p><p>{why}</p>{greeting}{login}{search}<p>{links}</p>")

    def rows(self, found):
        return "".join(f"<li><a href='/good/{at}'>{title}</a> by {author}" for at, (title, author) in found)

    def do_GET(self):
        self.data = load()
        path, _, query = self.path.partition("?")
        sent = {name: values[0] for name, values in urllib.parse.parse_qs(query).items()}
        good = re.fullmatch(r"/good/(\d+)", path)
        order = re.fullmatch(r"/order/(\d+)", path)
        if path == "/":
            return self.home()
        if path == "/login" and not SECOND:
            return self.page("Log in", f"<p>Members only.</p>{self.login_form()}")
        if path == CATALOGUE:
            more = "<p><a href='/help'>Help for buyers</a></p>" if SECOND else ""
            return self.page("All goods", f"<p>Everything that lies on the stall today:</p><ul>{self.rows(GOODS.items())}</ul>{more}")
        if path == "/find":
            title, author = (sent.get("title", ""), sent.get("author", "")) if SECOND else (sent.get("name", ""), "")
            found = [(at, (t, a)) for at, (t, a) in GOODS.items() if title.lower() in t.lower() and author.lower() in a.lower() and (title or author)]
            return self.page("What was found", f"<p>{len(found)} of what lies on the stall:</p><ul>{self.rows(found)}</ul>")
        if good and good.group(1) in GOODS:
            title, author = GOODS[good.group(1)]
            form = f"<form method=post action='/cart'>{self.token()}<input type=hidden name=good value={good.group(1)}><input name=quantity value=1><button>Put it into the cart</button></form>"
            return self.page(title, f"<p>Written by {author}, bound in cloth.</p>{form}")
        if path == "/cart":
            lines = "".join(f"<li>{n} of {GOODS[g][0]}" for g, n in self.data["carts"].get(self.session() or "", {}).items())
            return self.page("Your cart", f"<ul>{lines}</ul><p><a href='/checkout'>Order what is in it</a></p>")
        if path == "/help":
            return self.page("Help for buyers", "<p>Write to us when something is not as it should be.</p><a href='/terms'>Terms of sale</a>")
        if path == "/terms":
            return self.page("Terms of sale", "<p>What is bought is paid, and what is broken is taken back.</p>")
        if path == "/news" and not SECOND:
            return self.page("News of the stall", f"<p>We were at the fair last week.</p><a href='{CATALOGUE}'>All goods</a>")
        if self.user() is None:
            if path in ("/account", "/checkout") or order:
                return self.to("/" if SECOND else "/login")
            return self.page("Nothing here", "<p>There is no such page.</p>", 404)
        if path == "/account":
            mine = "".join(f"<li><a href='/order/{at}'>Order {at}</a>" for at, o in self.data["orders"].items() if o["user"] == self.user())
            return self.page("Your account", f"<p>Everything about {html.escape(self.user())}.</p><ul>{mine}</ul>")
        if path == "/checkout":
            phone = "<input name=phone required>" if SECOND else ""
            return self.page("Checkout", f"<p>Where shall it be sent?</p><form method=post action='/order'>{self.token()}<input name=address>{phone}<button>Order</button></form>")
        if order and order.group(1) in self.data["orders"]:
            o = self.data["orders"][order.group(1)]
            return self.page("Thank you for your order", f"<p>It goes to {html.escape(o['address'])} tomorrow.</p>")
        return self.page("Nothing here", "<p>There is no such page.</p>", 404)

    def do_POST(self):
        self.data = load()
        length = int(self.headers.get("content-length", 0))
        sent = {name: values[0] for name, values in urllib.parse.parse_qs(self.rfile.read(length).decode()).items()}
        path = self.path.partition("?")[0]
        if not sent.get("token"):
            return self.page("Not accepted", "<p>The form was too old.</p>", 400)
        if path == "/login":
            name = sent.get("login" if SECOND else "user", "")
            if name and sent.get("password") == name[::-1]:
                session = self.session() or secrets.token_hex(8)
                self.data["sessions"][session] = name
                return self.to("/account", [("set-cookie", f"stall={session}; Path=/")])
            return self.home("Who are you?") if SECOND else self.page("Log in", f"<p>Who are you?</p>{self.login_form()}")
        if path == "/cart":
            session = self.session() or secrets.token_hex(8)
            cart = self.data["carts"].setdefault(session, {})
            if sent.get("good") not in GOODS:
                return self.page("Not accepted", "<p>There is no such thing.</p>", 400)
            cart[sent["good"]] = int(sent.get("quantity", 1))
            return self.to("/cart", [("set-cookie", f"stall={session}; Path=/")])
        if self.user() is None:
            return self.to("/" if SECOND else "/login")
        if path == "/order" and SECOND:
            if not sent.get("phone"):
                return self.page("Checkout", f"<p>How can we reach you?</p><form method=post action='/order'>{self.token()}<input name=address><input name=phone required><button>Order</button></form>")
            draft = html.escape(sent.get("address", ""))
            return self.page("Is that right?", f"<p>To be sent to {draft}</p><form method=post action='/order/confirm'>{self.token()}<input type=hidden name=address value='{draft}'><button>Yes, order</button></form>")
        if path in ("/order", "/order/confirm"):
            if path == "/order/confirm" and not SECOND:
                return self.page("Nothing here", "<p>There is no such page.</p>", 404)
            number = str(len(self.data["orders"]) + 1)
            self.data["orders"][number] = {"user": self.user(), "address": sent.get("address", "")}
            return self.to(f"/order/{number}")
        return self.page("Nothing here", "<p>There is no such page.</p>", 404)


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Stall).serve_forever()
