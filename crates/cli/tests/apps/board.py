"""A board with all that makes a recorded request refused the second time: a new form token on every page, good for
one use; a cookie to be sent twice; a JSON API whose ids are drawn; numbers that move on with every start."""
import http.server, json, os, secrets, sqlite3, sys, urllib.parse

DB = sqlite3.connect("board.db", check_same_thread=False)
DB.execute("CREATE TABLE IF NOT EXISTS card (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)")
DB.execute("CREATE TABLE IF NOT EXISTS note (id TEXT PRIMARY KEY, card INTEGER, text TEXT)")
DB.commit()
# What nobody asked for: the next card has another number in every process.
NEXT = secrets.randbelow(500) + 1000
TOKENS, XSRF = {}, {}


class Board(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, body="", type="text/html", **fields):
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(data)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def sid(self):
        cookies = dict(c.strip().split("=", 1) for c in self.headers.get("cookie", "").split(";") if "=" in c)
        return cookies.get("sid", ""), cookies.get("XSRF-TOKEN", "")

    def token(self, form):
        token = secrets.token_hex(10)
        TOKENS[token] = form
        return token

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        sid, _ = self.sid()
        if url.path == "/":
            sid, xsrf = secrets.token_hex(12), secrets.token_urlsafe(12) + "0=="
            XSRF[sid] = xsrf
            self.send_response(302)
            self.send_header("Set-Cookie", f"sid={sid}; Path=/")
            self.send_header("Set-Cookie", f"XSRF-TOKEN={urllib.parse.quote(xsrf, safe='')}; Path=/")
            self.send_header("Location", "/new")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if sid not in XSRF:
            return self.answer(403, "who are you?")
        if url.path == "/new":
            return self.answer(200, f"<title>New</title><form method=post action=/card><input type=hidden name=token "
                               f"value={self.token('new')}><input name=text></form>")
        if url.path.startswith("/card/"):
            card = DB.execute("SELECT id, text FROM card WHERE id = ?", (url.path.split("/")[2],)).fetchone()
            if not card:
                return self.answer(404, "no such card")
            notes = DB.execute("SELECT text FROM note WHERE card = ? ORDER BY rowid", (card[0],)).fetchall()
            items = "".join(f"<li>{text}</li>" for (text,) in notes)
            field = "" if os.environ.get("FAULT") else f"<script>var board = {{\"card\": {card[0]}, \"key\": \"{self.token('api')}\"}};</script>"
            return self.answer(200, f"<title>Card</title><h1>{card[1]}</h1><ul>{items}</ul>{field}<form method=post "
                               f"action=/card/{card[0]}/rename><input type=hidden name=token value={self.token(card[0])}><input name=text></form>")
        self.answer(404)

    def do_POST(self):
        global NEXT
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        sid, cookie = self.sid()
        path = self.path.split("/")
        if sid not in XSRF:
            return self.answer(403, "who are you?")
        if path[1] == "api":
            xsrf = XSRF[sid]
            if self.headers.get("X-XSRF-TOKEN") != xsrf or urllib.parse.unquote(cookie) != xsrf:
                return self.answer(419, "token mismatch")
            sent = json.loads(body)
            if path[2:] == ["notes"]:
                if TOKENS.pop(sent["key"], None) != "api" or not isinstance(sent["cardId"], int):
                    return self.answer(422, json.dumps(sent), "application/json")
                note = secrets.token_hex(8)
                card = DB.execute("SELECT id FROM card WHERE id = ?", (sent["cardId"],)).fetchone()
                if not card:
                    return self.answer(404)
                DB.execute("INSERT INTO note VALUES (?, ?, ?)", (note, card[0], sent["text"]))
                DB.commit()
                return self.answer(201, json.dumps({"data": {"id": note, "text": sent["text"]}}), "application/json")
            done = DB.execute("UPDATE note SET text = ? WHERE id = ?", (sent["text"], path[3])).rowcount
            DB.commit()
            return self.answer(200 if done else 404, "{}", "application/json")
        form = dict(urllib.parse.parse_qsl(body))
        meant = TOKENS.pop(form.get("token"), None)
        if self.path == "/card" and meant == "new":
            NEXT += 1
            DB.execute("INSERT INTO card VALUES (?, ?)", (NEXT, form["text"]))
            DB.commit()
            return self.answer(303, Location=f"/card/{NEXT}")
        if path[1] == "card" and path[3:] == ["rename"] and meant == int(path[2]):
            DB.execute("UPDATE card SET text = ? WHERE id = ?", (form["text"], path[2]))
            DB.commit()
            return self.answer(303, Location=f"/card/{path[2]}")
        self.answer(419, "token mismatch")


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Board).serve_forever()
