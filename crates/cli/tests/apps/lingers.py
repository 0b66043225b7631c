"""Writes a pid file, takes half a second to leave when it is asked to, and removes the file then. Does not begin where another's is left."""

import http.server
import os
import select
import signal
import sys
import threading

port = int(sys.argv[1])
os.makedirs("pids", exist_ok=True)
path = f"pids/{port}.pid"


class Lingers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        body = f"<p>You asked for {self.path}</p>".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def leave(*_):
    # Not time.sleep, which fails under libfaketime.
    select.select([], [], [], 0.5)
    os.remove(path)
    with open("left.log", "a") as log:
        log.write(f"{port}\n")
    os._exit(0)


signal.signal(signal.SIGTERM, leave)
server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Lingers)
try:
    with open(path, "x") as file:
        file.write(str(os.getpid()))
except FileExistsError:
    sys.exit("a server is already running: " + path)
threading.Thread(target=server.serve_forever, daemon=True).start()
signal.pause()
