"""A box office: an order that is refused where no seat is chosen, a search with a second page, and a way to pay once something is ordered.

Ways that are there only after something else: what a refusal leads to, the second page of a long list, the way to pay. TICKETS_FAULT=closed in the
environment makes it another version of itself, whose home page has no link to its help.
"""

import http.server
import os
import re
import secrets
import sqlite3
import sys
import urllib.parse

os.makedirs("data", exist_ok=True)
PLAYS = [f"A {kind} play" for kind in ("short", "long", "late", "loud", "lost")] + ["One opera"]


def ask(statement, *values):
    connection = sqlite3.connect("data/tickets.db", timeout=20)
    with connection:
        rows = connection.execute(statement, values).fetchall()
    connection.close()
    return rows


ask("CREATE TABLE IF NOT EXISTS ordered (visitor TEXT, seat TEXT)")


class Office(http.server.BaseHTTPRequestHandler):
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

    def visitor(self):
        found = re.search(r"visitor=(\w+)", self.headers.get("cookie", ""))
        return found.group(1) if found else None

    def order_form(self, said=""):
        return (
            f"{said}<form method=post action=/order><input type=radio name=seat value=front>front<input type=radio name=seat value=back>back"
            "<input name=name><button>Order</button></form><a href=/>Home</a>"
        )

    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        asked = dict(urllib.parse.parse_qsl(parts.query))
        if parts.path == "/":
            new = {} if self.visitor() else {"Set_Cookie": f"visitor={secrets.token_hex(16)}; Path=/"}
            help_link = "" if os.environ.get("TICKETS_FAULT") == "closed" else "<a href=/help>Help</a>"
            form = "<form action=/find><input name=q><button>Find</button></form>"
            return self.answer("Tickets", f"{form}<a href=/order>Order</a> <a href=/bill>Your bill</a> {help_link}", **new)
        if parts.path == "/find":
            found = [play for play in PLAYS if asked.get("q", "") in play]
            at = int(asked.get("page", "1"))
            rows = "".join(f"<li>{play}" for play in found[(at - 1) * 3 : at * 3])
            more = f"<a href=/find?q={asked.get('q', '')}&amp;page={at + 1}>More</a>" if len(found) > at * 3 else ""
            return self.answer("Found", f"<ul>{rows}</ul>{more} <a href=/>Home</a>")
        if parts.path == "/order":
            return self.answer("Order", self.order_form())
        if parts.path == "/bill":
            ordered = ask("SELECT seat FROM ordered WHERE visitor = ?", self.visitor())
            pay = "<form method=post action=/pay><input name=card><button>Pay</button></form>" if ordered else ""
            return self.answer("Your bill", f"<p>{len(ordered)} seats</p>{pay}<a href=/>Home</a>")
        if parts.path == "/seats":
            return self.answer("Seats", "<p>In front or in the back.</p><a href=/order>Order</a>")
        if parts.path in ("/help", "/thanks"):
            return self.answer(parts.path[1:].title(), "<a href=/>Home</a>")
        self.answer("Nothing here", "<a href=/>Home</a>", 404)

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers.get("content-length") or 0)).decode()))
        if self.path == "/order":
            if form.get("seat") not in ("front", "back"):
                return self.answer("Order", self.order_form("<p>Choose a <a href=/seats>seat</a>.</p>"), 422)
            ask("INSERT INTO ordered VALUES (?, ?)", self.visitor(), form["seat"])
            return self.answer("", "", 303, Location="/bill")
        ask("DELETE FROM ordered WHERE visitor = ?", self.visitor())
        self.answer("", "", 303, Location="/thanks")


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Office).serve_forever()
