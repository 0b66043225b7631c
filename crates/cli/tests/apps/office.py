"""An office of the old kind: one address for everything, and a page with six forms to it. The next release (RELEASE=2) has
other hidden values, another order, and one form less. What arrives is noted in received.log."""
import http.server, os, secrets, sys, urllib.parse

NEXT = os.environ.get("RELEASE") == "2"
HIDDEN = {"version": "2" if NEXT else "1", "part": "spring" if NEXT else "winter"}


def form(inside, button):
    hidden = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in HIDDEN.items())
    return (f'<form method="post" action="/index.php">{hidden}<input type="hidden" name="token" value="{secrets.token_hex(8)}">'
            f"{inside}{button}</form>")


def forms():
    all = [
        form('<input name="name" value="Ann"><input name="mail" value="">', "<button>Save profile</button>"),
        form('<input name="street" value=""><input name="city" value="">', "<button>Save address</button>"),
        form('<input name="code" value=""><input name="repeated" value="">', "<button>Change code</button>"),
        form('<textarea name="text"></textarea>', '<button name="do" value="comment">Comment</button>'),
        form('<textarea name="text"></textarea>', '<button name="do" value="report">Report</button>'),
        form("", '<button name="do" value="leave">Leave</button>'),
    ]
    if NEXT:
        del all[2]
        all.reverse()
    return "".join(all)


class Office(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def page(self, said):
        data = f"<title>Office</title><p>{said}</p>{forms()}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(data)))
        if "sid=" not in self.headers.get("cookie", ""):
            self.send_header("Set-Cookie", f"sid={secrets.token_hex(12)}; Path=/")
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.page("Welcome")

    def do_POST(self):
        sent = urllib.parse.parse_qsl(self.rfile.read(int(self.headers["content-length"])).decode(), True)
        with open("received.log", "a") as log:
            log.write("&".join(f"{name}={'TOKEN' if name == 'token' else value}" for name, value in sent) + "\n")
        self.page("Done")


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Office).serve_forever()
