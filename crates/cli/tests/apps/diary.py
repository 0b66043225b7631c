"""A diary for several people: pages and JSON, answered as its data, the time and the environment say.

Entries are in data/entries.json: {"ID": ["2026-10-05", "text"]}. DIARY_ID is the id of each new entry, DIARY_BROKEN breaks adding.
"""

import datetime
import html
import http.server
import json
import os
import re
import sys
import urllib.parse

DATA = "data/entries.json"
PASSWORD = "seldom-seen-4"


class Diary(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, text, status=200, kind="text/html; charset=utf-8", headers=()):
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def load(self):
        if not os.path.exists(DATA):
            return {}
        with open(DATA) as file:
            return json.load(file)

    def listed(self, title, entries, before=""):
        rows = "".join(f"<li>{html.escape(text)}" for _, text in entries)
        rows = f"<ul class=entries>{rows}</ul>" if rows else "<p>Nothing here.</p>"
        self.answer(f"<title>{title}</title><h1>{title}</h1>{before}{rows}<form action='/add' method=post><textarea name=text></textarea></form>")

    def do_GET(self):
        entries = self.load()
        today = datetime.date.today()
        path = self.path.split("?")[0]
        found = re.fullmatch(r"/entry/(\w+)", path)
        if found:
            if found.group(1) not in entries:
                return self.answer("<title>Oops</title><h1>No such entry</h1>", 404)
            return self.answer(f"<title>Entry</title><h1>Entry</h1><p>{html.escape(entries[found.group(1)][1])}</p>")
        if path == "/today":
            due = [entry for entry in entries.values() if entry[0] == today.isoformat()]
            return self.listed("Planned for the day", due, f"<p>{today:%d %B %Y}</p>")
        if path == "/private":
            return self.answer("<title>Who are you</title><h1>Who are you</h1><form action='/login' method=post><input name=user><input type=password name=pass></form>")
        if path == "/api/entries":
            return self.answer(json.dumps({"entries": [{"id": at, "text": text} for at, (_, text) in entries.items()]}), kind="application/json")
        self.listed("Diary", entries.values())

    def do_POST(self):
        entries = self.load()
        sent = self.rfile.read(int(self.headers["content-length"] or 0)).decode()
        if self.path == "/api/login":
            if json.loads(sent)["password"] != PASSWORD:
                return self.answer('{"ok": false, "message": "denied"}', kind="application/json")
            return self.answer('{"ok": true, "user": {"name": "Ada", "since": "2020-01-01"}}', kind="application/json")
        if os.environ.get("DIARY_BROKEN"):
            return self.answer("<h1>Sorry</h1>", 500)
        at = os.environ.get("DIARY_ID") or str(len(entries) + 1)
        entries[at] = [datetime.date.today().isoformat(), dict(urllib.parse.parse_qsl(sent))["text"]]
        with open(DATA, "w") as file:
            json.dump(entries, file)
        self.answer("", 303, headers=[("location", f"/entry/{at}")])


os.makedirs("data", exist_ok=True)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Diary).serve_forever()
