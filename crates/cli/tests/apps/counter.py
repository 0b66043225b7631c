"""A hit counter with a fault that shows only when two users meet: it reads, waits a moment, and writes.

Environment: LOCK=1 does it right, CRASH=n ends the process at the n-th request for /add, once.
"""

import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOCK = threading.Lock()
FILE = "data/count"


class Counter(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/":
            return self.page("counter")
        if self.path == "/add":
            if os.environ.get("LOCK"):
                with LOCK:
                    self.add()
            else:
                self.add()
            return self.page("added")
        self.page(f"count {self.read()}")

    def add(self):
        count = self.read()
        if os.environ.get("CRASH") == str(count) and not os.path.exists("crashed"):
            open("crashed", "w").close()
            os._exit(9)
        time.sleep(0.15)
        with open(FILE + str(threading.get_ident()), "w") as file:
            file.write(str(count + 1))
        os.rename(FILE + str(threading.get_ident()), FILE)

    def read(self):
        with open(FILE) as file:
            return int(file.read())

    def page(self, text):
        body = f"<!DOCTYPE html><title>Counter</title><p>{text}</p>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Counter).serve_forever()
