"""An application that says itself, in the protocol of probes, what it did for each request."""
import fcntl, http.server, json, os, sys, threading, urllib.parse

FACTS = os.environ.get("RESTAGE_FACTS")
FAULT = os.environ.get("FAULT", "")
MEET = threading.Barrier(2) if os.environ.get("MEET") else None
LINES = {"/": [1], "/add": [[1, 3], 7], "/count": [[1, 2], 9]}


def write(line):
    if not FACTS:
        return
    with open(FACTS, "a") as out:
        fcntl.flock(out, fcntl.LOCK_EX)
        out.write(line + "\n")
        out.flush()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Header and body go out together.
    wbufsize = -1

    def do_GET(self):
        path, _, query = self.path.partition("?")
        user, step = self.headers.get("user", ""), self.headers.get("Restage-Step")
        if MEET and path == "/add":
            MEET.wait(30)
        if path == "/add":
            with open("data/count", "a") as data:
                data.write(user + "\n")
        page = f"<p>{path} of {user}</p>".encode()
        if step and FAULT != "silent":
            self.facts(path, urllib.parse.parse_qs(query), user, step)
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def facts(self, path, query, user, step):
        if FAULT == "partly" and path == "/count":
            return
        if FAULT == "bad" and path == "/add":
            write("this is no probe's line")
        if FAULT == "unknown" and path == "/add":
            step = "s1/3"
        if FAULT == "gone" and path == "/add":
            os.remove(FACTS)
        facts = {"v": 1, "step": step, "runtime": "by hand 1", "lines": {"shop.py": LINES.get(path, [])}}
        facts["session"] = {"before": {"user": json.dumps(user)}, "after": {"user": json.dumps(user), "at": json.dumps(path)}}
        facts["sql"] = [{"text": f"SELECT * FROM t WHERE path = '{path}' AND user = ?", "bound": [user], "rows": 1, "file": "shop.py", "line": 2}]
        if "password" in query:
            facts["sql"].append({"text": "UPDATE users SET password = ? WHERE name = 'x'", "bound": query["password"]})
        if path == "/add":
            facts["errors"] = [{"type": "Warning", "message": f"no stock for {user}", "file": "shop.py", "line": 7}]
        if "branches" in os.environ.get("RESTAGE_FACTS_WANT", ""):
            facts["branches"] = {"shop.py": [1]}
        write(json.dumps(facts))

    def log_message(self, *args):
        pass


write(json.dumps({"v": 1, "file": "shop.py", "lines": [[1, 12]],
                  "functions": [{"name": "show", "first": 1, "last": 4}, {"name": "refuse", "first": 10, "last": 12}],
                  "branches": [{"id": 1, "from": 2, "to": 3}, {"id": 2, "from": 2, "to": 9}]}))
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
