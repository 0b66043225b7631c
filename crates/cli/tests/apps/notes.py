"""A small notes application, as somebody else would write one: another language, another way with sessions.

It keeps notes in SQLite and sessions in files, gives every page a new token (in forms, and in the links that
delete), and redirects to addresses with ids from the database. What was done is kept in a trail that no page shows.
Environment: FAULT=1 loses the last word of a note, FORGET=1 does not commit the trail of deletions, COMPLAIN=1 fails
to count notes and says so in its output, or in the file LOG, and nowhere else, CRASH=/path ends the process when that
path is asked for, HANG=/path stops all of it there, SLOW=/path that one request, LEAVE=/path ends it once it has answered. STARTS=file
gets the process id of every start; with ONCE=1 there is only one. SLEEP=seconds is how long every request takes.
"""

import html
import os
import secrets
import signal
import sqlite3
import sys
import threading
import time
import traceback
from http import cookies
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

DATABASE = "notes.db"
SESSIONS = "sessions"


class Notes(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer({})

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        self.answer({k: v[0] for k, v in parse_qs(self.rfile.read(length).decode()).items()})

    def answer(self, form):
        url = urlsplit(self.path)
        if url.path == os.environ.get("CRASH"):
            print("fatal: out of ideas", flush=True)
            os._exit(9)
        if url.path == os.environ.get("HANG"):
            # All threads of it: nothing is answered any more.
            os.kill(os.getpid(), signal.SIGSTOP)
        if url.path == os.environ.get("SLOW"):
            print("slow", flush=True)
            time.sleep(600)
        if url.path == os.environ.get("LEAVE"):
            threading.Timer(0.002, os._exit, [8]).start()
        time.sleep(float(os.environ.get("SLEEP", 0)))
        query = {k: v[0] for k, v in parse_qs(url.query).items()}
        self.session = self.read_session()
        self.database = sqlite3.connect(DATABASE)
        handler = {"/": self.home, "/login": self.login, "/notes": self.notes, "/add": self.add, "/delete": self.delete}
        if url.path.startswith("/note/"):
            self.note(url.path.rsplit("/", 1)[1])
        elif url.path in handler:
            handler[url.path](form, query)
        else:
            self.page(404, "Not found")
        self.database.close()

    def home(self, form, query):
        self.page(200, f"<h1>Notes</h1><form method=post action=/login>{self.token()}<input name=user><button>Log in</button></form>")

    def login(self, form, query):
        if not self.allowed(form):
            return
        os.remove(os.path.join(SESSIONS, self.session["id"]))
        self.session = {"id": secrets.token_hex(16), "user": form.get("user", ""), "token": ""}
        self.redirect("/notes")

    def notes(self, form, query):
        if not self.session["user"]:
            return self.redirect("/")
        self.count()
        token = self.new_token()
        rows = self.database.execute("SELECT id, text FROM note WHERE user = ? ORDER BY id", [self.session["user"]])
        items = "".join(
            f"<li><a href=/note/{i}>{html.escape(t)}</a> <a href='/delete?id={i}&amp;token={token}'>delete</a>" for i, t in rows
        )
        form = f"<form method=post action=/add><input type=hidden name=token value={token}><textarea name=text></textarea><button>Add</button></form>"
        self.page(200, f"<h1>Notes of {html.escape(self.session['user'])}</h1><ul>{items}</ul>{form}")

    def add(self, form, query):
        if not self.allowed(form):
            return
        text = form.get("text", "")
        if os.environ.get("FAULT"):
            text = text.rsplit(" ", 1)[0]
        cursor = self.database.execute("INSERT INTO note (user, text) VALUES (?, ?)", [self.session["user"], text])
        self.keep_trail("added")
        self.database.commit()
        self.redirect(f"/note/{cursor.lastrowid}")

    def note(self, number):
        row = self.database.execute("SELECT text FROM note WHERE id = ?", [number]).fetchone()
        if row is None:
            return self.page(404, "No such note")
        self.page(200, f"<h1>A note</h1><p>{html.escape(row[0])}</p><a href=/notes>All notes</a>")

    def delete(self, form, query):
        if not self.allowed(query):
            return
        self.database.execute("DELETE FROM note WHERE id = ?", [query.get("id")])
        self.database.commit()
        self.keep_trail("deleted")
        if not os.environ.get("FORGET"):
            self.database.commit()
        self.redirect("/notes")

    def keep_trail(self, what):
        row = [secrets.token_hex(8), self.session["user"], what]
        self.database.execute("INSERT INTO trail VALUES (?, ?, ?, datetime('now'))", row)

    def count(self):
        try:
            if os.environ.get("COMPLAIN"):
                self.database.execute("SELECT count(*) FROM notse")
        except sqlite3.OperationalError:
            if os.environ.get("LOG"):
                with open(os.environ["LOG"], "a") as log:
                    traceback.print_exc(file=log)
            else:
                traceback.print_exc()

    def allowed(self, given):
        if given.get("token") != self.session["token"]:
            self.page(403, "Wrong token")
            return False
        return True

    def token(self):
        return f"<input type=hidden name=token value={self.new_token()}>"

    def new_token(self):
        self.session["token"] = secrets.token_hex(12)
        return self.session["token"]

    def read_session(self):
        jar = cookies.SimpleCookie(self.headers.get("Cookie", ""))
        name = jar["NOTESID"].value if "NOTESID" in jar else ""
        path = os.path.join(SESSIONS, name)
        if name.isalnum() and os.path.exists(path):
            user, token = open(path).read().split("\n")
            return {"id": name, "user": user, "token": token}
        return {"id": secrets.token_hex(16), "user": "", "token": ""}

    def page(self, status, body):
        self.send(status, f"<!DOCTYPE html><title>Notes</title>{body}".encode(), [])

    def redirect(self, address):
        self.send(302, b"", [("Location", address)])

    def send(self, status, body, headers):
        with open(os.path.join(SESSIONS, self.session["id"]), "w") as file:
            file.write(f"{self.session['user']}\n{self.session['token']}")
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", f"NOTESID={self.session['id']}; Path=/; HttpOnly")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    if "STARTS" in os.environ:
        if "ONCE" in os.environ and os.path.exists(os.environ["STARTS"]):
            sys.exit("once is enough")
        with open(os.environ["STARTS"], "a") as starts:
            starts.write(f"{os.getpid()}\n")
    os.makedirs(SESSIONS, exist_ok=True)
    with sqlite3.connect(DATABASE) as database:
        database.execute("CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT, text TEXT)")
        database.execute("CREATE TABLE IF NOT EXISTS trail (id TEXT PRIMARY KEY, user TEXT, what TEXT, at TEXT)")
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Notes).serve_forever()
