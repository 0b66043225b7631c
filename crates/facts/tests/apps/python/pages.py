import sqlite3
import sys
from wsgiref.simple_server import make_server


def price(count):
    if count > 2:
        return count * 9
    return count * 10


def page(environ, start_response):
    if environ["PATH_INFO"] == "/fail":
        raise ValueError("wsgi fails")
    with sqlite3.connect(":memory:") as db:
        cursor = db.cursor()
        cursor.execute("SELECT 1 UNION SELECT 2")
        rows = [row for row in cursor]
        try:
            db.execute("SELECT * FROM nothing")
        except sqlite3.OperationalError:
            pass
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{price(len(rows))} {environ.get('HTTP_RESTAGE_STEP')}\n".encode()]


make_server("127.0.0.1", int(sys.argv[1]), page).serve_forever()
