"""Serves the feeds of a folder on the loopback address, as a proxy that knows no other place: feeds.py FOLDER PORT

The application asks it for http://192.0.2.10/NAME.xml, an address of which nobody is at home, since it refuses to read feeds of
this machine. All else is not found: nothing is asked outside.
"""

import http.server
import os
import sys
import urllib.parse


class Feeds(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        name = os.path.basename(urllib.parse.urlsplit(self.path).path)
        path = os.path.join(sys.argv[1], name)
        known = name.endswith(".xml") and os.path.isfile(path)
        body = open(path, "rb").read() if known else b"no such feed\n"
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "application/rss+xml" if known else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Feeds).serve_forever()
