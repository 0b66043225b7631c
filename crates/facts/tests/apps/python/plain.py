import sqlite3
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def price(count):
    if count > 2:
        return count * 9
    return count * 10


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        db = sqlite3.connect(":memory:")
        db.execute("CREATE TABLE cart (id INTEGER, n TEXT)")
        db.execute("INSERT INTO cart VALUES (?, ?)", (1, "a"))
        rows = db.execute("SELECT * FROM cart").fetchall()
        if self.path == "/fail":
            raise RuntimeError("no such page")
        body = f"{price(len(rows))} {self.headers.get('Restage-Step')}\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Shop).serve_forever()
