"""A user's browser, without a screen: cookies, redirects, links, forms, and what a page brings along.

A session is a Browser. It has a page, and the page has links to click and forms to send. As with a browser, what
a form holds is sent with it, also what is hidden; images, styles and scripts are fetched, each once; and where the
user came from is told (Referer). Loopback addresses only.
"""

import http.client
import io
import re
import urllib.parse
from html.parser import HTMLParser

AGENTS = {
    "firefox": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "chrome": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
    "phone": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1",
}


class Missing(Exception):
    """The page has not what the user wants to use."""


class Browser:
    """`at` is the user's own address: any that begins with 127 is this machine's."""

    def __init__(self, base, agent="firefox", at="127.0.0.1"):
        self.at = at
        self.base = base.rstrip("/")
        self.agent = AGENTS.get(agent, agent)
        self.cookies = {}
        self.fetched = set()
        self.page = None
        address = urllib.parse.urlsplit(base)
        assert address.hostname in ("127.0.0.1", "localhost"), "loopback only"
        self.host = address.netloc

    # What a user does.

    def open(self, address):
        """Types an address, or takes a bookmark."""
        return self._visit("GET", urllib.parse.urljoin(self.base + "/", address), None)

    def click(self, text=None, href=None, nth=0):
        """Follows a link, by its text, its title or a part of its address."""
        link = self.page.link(text, href, nth)
        return self._visit("GET", urllib.parse.urljoin(self.page.url, link.href), self.page.url)

    def submit(self, form=None, button=None, **typed):
        """Fills in a form and sends it: see Page.form for which. `button` is the name or label of the one clicked."""
        return self.send(self.page.form(form), button, typed)

    def send(self, form, button=None, typed=None):
        fields = form.filled(button, typed or {})
        target = urllib.parse.urljoin(self.page.url, form.action)
        if form.method == "GET":
            target = target.split("?")[0].split("#")[0] + "?" + urllib.parse.urlencode(fields)
            return self._visit("GET", target, self.page.url)
        kind, body = encode(fields, form.multipart)
        return self._visit("POST", target, self.page.url, body, kind)

    def script(self, address, data=None, kind=None, headers=None):
        """What a script of the page asks for; the page stays. Sent are fields, or text of some kind. Returns the answer's text."""
        headers = {"X-Requested-With": "XMLHttpRequest", "Accept": "*/*", **(headers or {})}
        target = urllib.parse.urljoin(self.page.url, address)
        if data is None:
            return self._ask("GET", target, self.page.url, headers=headers).text
        if isinstance(data, str):
            return self._ask("POST", target, self.page.url, data.encode(), kind or "text/plain", headers).text
        kind, body = encode([(name, value) for name, value in data.items()], False)
        return self._ask("POST", target, self.page.url, body, kind + "; charset=UTF-8", headers).text

    def post(self, address, data):
        """A form that a script of the page makes and sends: a new page."""
        kind, body = encode(list(data.items()), False)
        return self._visit("POST", urllib.parse.urljoin(self.page.url, address), self.page.url, body, kind)

    # What the browser does by itself.

    def _visit(self, method, url, referer, body=None, kind=None):
        for _ in range(10):
            answer = self._ask(method, url, referer, body, kind)
            if answer.status not in (301, 302, 303, 307, 308):
                self.page = answer
                self._fetch_what_it_shows()
                return answer
            url = urllib.parse.urljoin(url, answer.headers["Location"]).split("#")[0]
            if answer.status not in (307, 308):
                method, body, kind = "GET", None, None
        raise Missing("redirected ten times: " + url)

    def _fetch_what_it_shows(self):
        for accept, address in self.page.shows:
            url = urllib.parse.urljoin(self.page.url, address)
            if urllib.parse.urlsplit(url).netloc == self.host and url not in self.fetched:
                self.fetched.add(url)
                self._ask("GET", url, self.page.url, headers={"Accept": accept})

    def _ask(self, method, url, referer, body=None, kind=None, headers=None):
        parts = urllib.parse.urlsplit(url)
        assert parts.netloc == self.host, f"{url} leads away from {self.host}"
        path = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        sent = {
            "User-Agent": self.agent,
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "Accept-Language": "en-GB,en;q=0.5",
            **(headers or {}),
        }
        if referer:
            sent["Referer"] = referer.split("#")[0]
        if method == "POST":
            sent["Origin"] = self.base
            sent["Content-Type"] = kind
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection = http.client.HTTPConnection(self.host, timeout=30, source_address=(self.at, 0))
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        page = Page(url, answer.status, answer.headers, answer.read())
        connection.close()
        self._keep_cookies(answer.headers)
        return page

    def _keep_cookies(self, headers):
        for header in headers.get_all("Set-Cookie") or []:
            pair, *attributes = header.split(";")
            name, _, value = pair.partition("=")
            gone = any(re.match(r"\s*max-age=0|\s*expires=.*\b19\d\d\b", a, re.I) for a in attributes)
            if gone or value == "deleted":
                self.cookies.pop(name.strip(), None)
            else:
                self.cookies[name.strip()] = value.strip()


def encode(fields, multipart):
    """The body of a form, and its media type. A file is a pair of its name and its bytes."""
    if not multipart:
        return "application/x-www-form-urlencoded", urllib.parse.urlencode(fields).encode()
    boundary = "----FormBoundary7MA4YWxkTrZu0gW"
    out = io.BytesIO()
    for name, value in fields:
        out.write(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'.encode())
        if isinstance(value, tuple):
            out.write(f'; filename="{value[0]}"\r\nContent-Type: application/octet-stream\r\n\r\n'.encode() + value[1])
        else:
            out.write(b"\r\n\r\n" + str(value).encode())
        out.write(b"\r\n")
    out.write(f"--{boundary}--\r\n".encode())
    return "multipart/form-data; boundary=" + boundary, out.getvalue()


def listed(name, value):
    values = value if isinstance(value, list) else [] if value is None else [value]
    return [(name, value) for value in values]


class Link:
    def __init__(self, href, title):
        self.href, self.title, self.text = href, title, ""


class Form:
    def __init__(self, attrs):
        self.id = attrs.get("id", "")
        self.method = attrs.get("method", "get").upper()
        self.action = attrs.get("action") or ""
        self.multipart = attrs.get("enctype", "").lower() == "multipart/form-data"
        self.fields = []  # (name, value) as sent untouched
        self.buttons = []  # (name, value, label)
        self.boxes = []  # (name, value) of those to tick
        self.names = set()  # of everything that can be sent

    def filled(self, button, typed):
        """What is sent: the fields as they are, but for those typed (None: left out; a list: boxes that are ticked),
        and the button clicked."""
        typed, fields = dict(typed), []
        for name in typed:
            if name not in self.names:
                raise Missing(f"no field {name} in {sorted(self.names)}")
        for name, value in self.fields:
            fields += [(name, value)] if name not in typed else listed(name, typed.pop(name))
        for name, value in typed.items():
            fields += listed(name, value)
        if button is not None:
            found = [(n, v) for n, v, label in self.buttons if button in (n, label) or button == v]
            if not found:
                raise Missing(f"no button {button} in {self.buttons}")
            if found[0][0]:
                fields.append(found[0])
        return fields


class Page(HTMLParser):
    """An answer, and where it is HTML, its links, forms and what it shows."""

    def __init__(self, url, status, headers, body):
        super().__init__()
        self.url, self.status, self.headers, self.body = url, status, headers, body
        self.links, self.forms, self.shows = [], [], []
        self._link = self._form = self._select = self._textarea = self._button = None
        kind = headers.get_content_type()
        self.text = body.decode(headers.get_content_charset() or "utf-8", "replace")
        if kind == "text/html":
            self.feed(self.text)
            self.close()

    def link(self, text=None, href=None, nth=0):
        def wanted(link):
            return (text is None or text in (link.text.strip(), link.title)) and (href is None or href in link.href)

        found = [link for link in self.links if wanted(link)]
        if len(found) <= nth:
            raise Missing(f"no link {text or ''} {href or ''} on {self.url}")
        return found[nth]

    def form(self, which=None):
        """A form: by its id, by the name of a field or button, by a pair of a field's name and value, or the first."""
        for form in self.forms:
            pair = isinstance(which, tuple) and which in form.fields
            if which is None or which == form.id or pair or (not isinstance(which, tuple) and which in form.names):
                return form
        raise Missing(f"no form {which} on {self.url}")

    # Reading HTML.

    def handle_starttag(self, tag, attrs):
        attrs = {name: value or "" for name, value in attrs}
        name, form = attrs.get("name", ""), self._form
        if tag == "a" and "href" in attrs:
            self._link = Link(attrs["href"], attrs.get("title", ""))
            self.links.append(self._link)
        elif tag == "img" and attrs.get("src"):
            self.shows.append(("image/avif,image/webp,*/*", attrs["src"]))
        elif tag == "link" and attrs.get("rel") == "stylesheet":
            self.shows.append(("text/css,*/*;q=0.1", attrs["href"]))
        elif tag == "script" and attrs.get("src"):
            self.shows.append(("*/*", attrs["src"]))
        elif tag == "form":
            self._form = Form(attrs)
            self.forms.append(self._form)
        elif form is None or "disabled" in attrs:
            pass
        elif tag == "input" and name:
            kind = attrs.get("type", "text").lower()
            value = attrs.get("value", "on" if kind in ("checkbox", "radio") else "")
            form.names.add(name)
            form.boxes += [(name, value)] if kind in ("checkbox", "radio") else []
            if kind in ("submit", "image"):
                form.buttons.append((name, value, value))
            elif kind == "file":
                form.fields.append((name, ("", b"")))
            elif kind not in ("button", "reset") and (kind not in ("checkbox", "radio") or "checked" in attrs):
                form.fields.append((name, value))
        elif tag == "button" and attrs.get("type", "submit").lower() == "submit":
            form.names.add(name)
            self._button = [name, attrs.get("value", ""), ""]
        elif tag == "textarea" and name:
            form.names.add(name)
            self._textarea = [name, ""]
        elif tag == "select" and name:
            form.names.add(name)
            self._select = [name, None]
        elif tag == "option" and self._select and ("selected" in attrs or self._select[1] is None):
            self._select[1] = attrs.get("value", "")

    def handle_endtag(self, tag):
        if tag == "a":
            self._link = None
        elif tag == "form":
            self._form = None
        elif tag == "button" and self._button and self._form:
            self._form.buttons.append((self._button[0], self._button[1], self._button[2].strip()))
            self._button = None
        elif tag == "textarea" and self._textarea and self._form:
            value = self._textarea[1].removeprefix("\r").removeprefix("\n")
            self._form.fields.append((self._textarea[0], re.sub(r"\r?\n", "\r\n", value)))
            self._textarea = None
        elif tag == "select" and self._select and self._form:
            if self._select[1] is not None:
                self._form.fields.append(tuple(self._select))
            self._select = None

    def handle_data(self, data):
        if self._link is not None:
            self._link.text += data
        if self._button is not None:
            self._button[2] += data
        if self._textarea is not None:
            self._textarea[1] += data
