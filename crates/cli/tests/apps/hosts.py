"""Shows the host it is asked for. With ELSEWHERE=http://host:port, its links, forms and redirects lead there."""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ELSEWHERE = os.environ.get("ELSEWHERE", "")


class Hosts(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        go = self.path == "/go"
        body = (
            f"<p>host={self.headers['Host']};</p><a href='{ELSEWHERE}/next'>next</a>"
            f"<form method=post action='{ELSEWHERE}/form'><input name=a value=1></form>"
        ).encode()
        self.send_response(302 if go else 200)
        if go:
            self.send_header("Location", ELSEWHERE + "/landed")
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Hosts).serve_forever()
