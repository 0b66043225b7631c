"""An application that reads its settings when it starts, and keeps them in memory: what is put back in its data later, it does not see."""

import http.server
import os
import sys
import urllib.parse

PATH = "data/colour"
os.makedirs("data", exist_ok=True)
colour = open(PATH).read() if os.path.exists(PATH) else "white"


class Settings(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        global colour
        address = urllib.parse.urlsplit(self.path)
        chosen = urllib.parse.parse_qs(address.query).get("colour")
        if chosen:
            colour = chosen[0]
            with open(PATH, "w") as file:
                file.write(colour)
        body = f"<h1>Settings</h1><p>The walls are {colour}</p>".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Settings).serve_forever()
