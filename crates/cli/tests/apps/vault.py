"""Accounts with secrets of every kind: shown on pages, asked for in forms, JSON, addresses, header fields and cookies.

It insists on all of them: what does not fit is refused.
"""

import base64
import html
import http.server
import json
import os
import re
import secrets
import sys
import urllib.parse

DATA = "data/accounts.json"
# There from the first day; its password is known to those who run tests.
ROOT = {"email": "root@vault.example.net", "password": "correct-horse-9", "card": "5555 5555 5555 4444"}


def load():
    if not os.path.exists(DATA):
        return {"accounts": {"root": ROOT}, "sessions": {}, "tokens": {}, "forms": []}
    with open(DATA) as file:
        return json.load(file)


class Vault(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, text, kind="text/html; charset=utf-8", headers=()):
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

    def user(self):
        found = re.search(r"sid=(\w+)", self.headers.get("cookie", ""))
        return self.data["sessions"].get(found.group(1)) if found else None

    def refuse(self, why):
        self.answer(403, f"<p>refused: {why}</p>")

    def do_GET(self):
        self.data = load()
        address = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        if address.path == "/":
            token = secrets.token_hex(10)
            self.data["forms"].append(token)
            self.answer(200, f"<form action='/register' method=post><input type=hidden name=csrf value='{token}'><input name=user>"
                             "<input name=email><input type=password name=pw><input name=card></form>")
        elif address.path == "/me":
            user = self.user()
            if not user:
                return self.refuse("no session")
            account = self.data["accounts"][user]
            key = secrets.token_hex(12)
            self.data["tokens"][key] = user
            # The key has no name on this page.
            self.answer(200, f"<p>You are {user}, {html.escape(account['email'])}, card {account['card']}</p><script>start('{key}')</script>"
                             f"<p>Your password is {html.escape(account['password'])}</p>")
        elif address.path == "/api":
            by_key = self.data["tokens"].get(query.get("api_key"))
            bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
            by_bearer = self.data["tokens"].get(bearer)
            if not by_key or by_key != by_bearer:
                return self.refuse("no key")
            self.answer(200, json.dumps({"user": by_key, "email": self.data["accounts"][by_key]["email"]}), "application/json")
        elif address.path == "/basic":
            name, _, password = base64.b64decode(self.headers.get("authorization", "Basic Og==")[6:]).decode().partition(":")
            if self.data["accounts"].get(name, {}).get("password") != password:
                return self.refuse("wrong password")
            self.answer(200, f"<p>Welcome {name}</p>")
        else:
            self.answer(404, "<p>nothing</p>")

    def do_POST(self):
        self.data = load()
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/register":
            form = dict(urllib.parse.parse_qsl(body.decode()))
            if form["csrf"] not in self.data["forms"]:
                return self.refuse("token")
            self.data["accounts"][form["user"]] = {"email": form["email"], "password": form["pw"], "card": form["card"]}
            sid = secrets.token_hex(16)
            self.data["sessions"][sid] = form["user"]
            self.answer(303, "", headers=[("location", "/me"), ("set-cookie", f"sid={sid}; Path=/; HttpOnly")])
        elif self.path == "/login":
            given = json.loads(body)
            account = self.data["accounts"].get(given["user"])
            if not account or account["password"] != given["password"]:
                return self.refuse("wrong password")
            token = secrets.token_urlsafe(24)
            self.data["tokens"][token] = given["user"]
            self.answer(200, json.dumps({"access_token": token}), "application/json")
        elif self.path == "/upload":
            user = self.user()
            password = re.search(rb'name="password"\r\n\r\n(.*?)\r\n--', body, re.S)
            if not user or self.data["accounts"][user]["password"].encode() != password.group(1):
                return self.refuse("wrong password")
            self.answer(200, "<p>Thank you</p>")


os.makedirs("data", exist_ok=True)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Vault).serve_forever()
