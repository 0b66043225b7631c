"""A real Chromium, driven over the WebDriver protocol by chromedriver: for what only a browser does, such as
running the application's scripts."""

import contextlib
import json
import subprocess
import tempfile
import time
import urllib.request

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic",
]


class Chromium:
    def __init__(self, session):
        self.session = session

    def open(self, url):
        self._call("url", {"url": url})

    def click(self, selector):
        self._call(f"element/{self._find(selector)}/click", {})

    def type(self, selector, text):
        self._call(f"element/{self._find(selector)}/value", {"text": text})

    def clear(self, selector):
        self._call(f"element/{self._find(selector)}/clear", {})

    def run(self, script):
        return self._call("execute/sync", {"script": script, "args": []})

    def wait_for(self, script):
        """Waits until a script's value is true: a click may return before what it leads to is there."""
        deadline = time.monotonic() + 30
        while not self.run("return Boolean(" + script + ")"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{script} is not so on {self.run('return location.href')}")
            time.sleep(0.05)

    def _find(self, selector):
        found = self._call("element", {"using": "css selector", "value": selector})
        return next(iter(found.values()))

    def _call(self, command, body):
        return post(f"{self.session}/{command}", body)


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{url}: {json.load(error)['value']['message']}") from error


@contextlib.contextmanager
def chromium():
    """A browser with a profile of its own, ended with all it started."""
    driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        session = None
        try:
            said = next(line for line in driver.stdout if "successfully on port" in line)
            base = f"http://127.0.0.1:{said.rstrip().rstrip('.').split()[-1]}/session"
            options = {"args": FLAGS + [f"--user-data-dir={profile}"]}
            made = post(base, {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})
            session = f"{base}/{made['sessionId']}"
            yield Chromium(session)
        finally:
            if session:
                request = urllib.request.Request(session, method="DELETE")
                with contextlib.suppress(OSError):
                    urllib.request.urlopen(request, timeout=10).close()
            driver.terminate()
            driver.wait()
