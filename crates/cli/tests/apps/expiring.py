"""A shop that forgets: carts that are older than a week are emptied, and a licence runs out."""

import os
import sqlite3
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlparse

WEEK = 7 * 86400
FAULT = os.environ.get("FAULT")


def database():
    connection = sqlite3.connect("cart.db")
    connection.execute("CREATE TABLE IF NOT EXISTS cart (id INTEGER PRIMARY KEY, user TEXT, item TEXT, price INTEGER, at INTEGER)")
    return connection


class Shop(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        address = urlparse(self.path)
        asked = {name: values[0] for name, values in parse_qs(address.query).items()}
        sid = (self.headers.get("cookie") or "").removeprefix("sid=")
        user = sid.split("-")[0]
        connection = database()
        if address.path == "/start":
            return self.answer(303, "", [("location", "/cart"), ("set-cookie", f"sid={asked['user']}-0f3c77aa91b2")])
        if address.path == "/add":
            row = (user, asked["item"], 10, int(time.time()))
            connection.execute("INSERT INTO cart (user, item, price, at) VALUES (?, ?, ?, ?)", row)
            connection.commit()
            return self.answer(303, "", [("location", "/cart")])
        connection.execute("DELETE FROM cart WHERE user = ? AND at < ?", (user, int(time.time()) - WEEK))
        connection.commit()
        rows = connection.execute("SELECT item, price FROM cart WHERE user = ? ORDER BY id", (user,)).fetchall()
        hours = "3:45" if FAULT == "hours" else "2:30"
        total = sum(price for _, price in rows) + (FAULT == "total")
        page = f"<title>Cart of {user}</title><h1>Cart of {user}</h1><p>Today is {time.strftime('%d %B %Y')}</p><p>Hours: {hours}</p>"
        if rows:
            cells = "".join(f"<tr><td>{item}</td><td>{price}</td></tr>" for item, price in rows)
            page += f"<table class=cart>{cells}</table><p class=total>Total {total}</p>"
            page += "<form action=/order><input name=note><button>Order what is in the cart</button></form>"
        else:
            page += "<p>There is nothing here. Look around in the shop, and come back.</p>"
        self.answer(200, page, [])

    def answer(self, status, page, headers):
        self.send_response(status)
        for name, value in [("content-type", "text/html"), ("content-length", str(len(page)))] + headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page.encode())


if os.environ.get("LICENCE") and time.time() > int(open("licence.txt").read()):
    sys.exit("the licence has run out")
HTTPServer(("127.0.0.1", int(sys.argv[1])), Shop).serve_forever()
