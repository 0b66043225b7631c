"""Shows its clock, and gives a cookie for an hour."""

import sys
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Clock(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        seen = "somebody" if "seen=somebody" in self.headers.get("Cookie", "") else "nobody"
        body = f"<p>time={int(time.time())}.</p><p>seen {seen}</p>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Set-Cookie", f"seen=somebody; Path=/; Expires={formatdate(time.time() + 3600, usegmt=True)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Clock).serve_forever()
