"""A subject and `restage record` before it, both on free ports, for as long as sessions are played."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import tomllib

RESTAGE = os.environ.get("RESTAGE", "restage")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def stop(process, how):
    process.send_signal(how)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def recording(folder):
    """Starts the application that the folder's restage.toml names, as restage does, and the recorder. Yields the address for
    users; at the end, the recorder's tally must say that everything was stored."""
    with open(os.path.join(folder, "restage.toml"), "rb") as toml:
        settings = tomllib.load(toml)["app"]
    port = free_port()
    command = ["sh", "-c", settings["command"].replace("{port}", str(port))]
    log = open(os.path.join(folder, "app.log"), "wb")
    environment = {**os.environ, **settings.get("env", {})}
    app = subprocess.Popen(command, cwd=os.path.join(folder, settings["dir"]), env=environment, stdout=log, stderr=log)
    recorder = None
    try:
        wait_for(port, app)
        recorder = subprocess.Popen(
            [RESTAGE, "record", "--json", "--listen", "127.0.0.1:0", "--upstream", f"http://127.0.0.1:{port}"],
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
        )
        started = json.loads(recorder.stdout.readline() or "{}")
        if "listening" not in started:
            sys.exit("restage record did not start")
        yield started["listening"]
        recorder.send_signal(signal.SIGINT)
        tally = json.loads(recorder.stdout.read())
        if tally["seen"] != tally["stored"]:
            sys.exit(f"not everything was stored: {tally}")
        print(f"exchanges recorded: {tally['stored']}")
    finally:
        if recorder:
            stop(recorder, signal.SIGINT)
        stop(app, signal.SIGTERM)
        log.close()


def wait_for(port, process):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    sys.exit(f"the application does not listen on port {port}: see app.log")
