"""An application with JSON Web Tokens, a fresh one at every login: sent as a bearer token, shown on a page, refused where it is wrong.

Every token that it gave is in issued.log, for whoever looks for them. FAULT=1 counts one note too many.
"""

import base64
import hashlib
import hmac
import html
import http.server
import json
import os
import secrets
import sys

KEY = b"a key that nobody knows"
NOTES = "data/notes.json"


def part(value):
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def sign(text):
    return part(hmac.new(KEY, text.encode(), hashlib.sha256).digest())


def issue(user):
    head = part({"alg": "HS256", "typ": "JWT"})
    body = part({"sub": user, "jti": secrets.token_hex(8)})
    token = f"{head}.{body}.{sign(head + '.' + body)}"
    with open("issued.log", "a") as log:
        log.write(token + "\n")
    return token


def holder(token):
    head, _, rest = token.partition(".")
    body, _, signature = rest.partition(".")
    if not signature or not hmac.compare_digest(sign(f"{head}.{body}"), signature):
        return None
    return json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))["sub"]


def load():
    if not os.path.exists(NOTES):
        return {}
    with open(NOTES) as file:
        return json.load(file)


class Tokens(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, kind="application/json"):
        body = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def bearer(self):
        return self.headers.get("authorization", "").removeprefix("Bearer ")

    def do_GET(self):
        token = self.bearer()
        user = holder(token)
        if self.path == "/":
            return self.answer(200, "<h1>Notes</h1>", "text/html")
        if user is None:
            return self.answer(401, {"error": "who are you?"})
        notes = load().get(user, [])
        count = len(notes) + (1 if os.environ.get("FAULT") else 0)
        if self.path == "/api/notes":
            self.answer(200, {"user": user, "count": count, "notes": notes, "renewed": {"refresh_token": issue(user)}})
        elif self.path == "/account":
            shown = html.escape(token)
            self.answer(200, f"<title>Account</title><h1>{user}</h1><p>{count} notes for the holder of {shown}</p>"
                             f"<script>var session = {{key: '{shown}'}}</script><a href='/api/notes?page=1'>all</a>", "text/html")
        else:
            self.answer(404, {"error": "nothing here"})

    def do_POST(self):
        given = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        if self.path == "/api/login":
            return self.answer(200, {"data": {"access_token": issue(given["user"]), "expires": 900000}})
        user = holder(self.bearer())
        if user is None:
            return self.answer(401, {"error": "who are you?"})
        notes = load()
        notes.setdefault(user, []).append(given["text"])
        with open(NOTES, "w") as file:
            json.dump(notes, file)
        self.answer(201, {"text": given["text"]})


os.makedirs("data", exist_ok=True)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Tokens).serve_forever()
