"""A subject in a folder of its own: its scripts, its servers, and restage on it."""

import json
import os
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RESTAGE = os.environ.get("RESTAGE", "restage")


class Subject:
    def __init__(self, name, folder):
        self.name, self.folder = name, os.path.join(folder, name)

    def set_up(self):
        """Sets the subject up and starts its servers, if it has any. Returns what was said."""
        said = self.script("set-up")
        self.servers("start")
        return said

    def servers(self, what):
        """Starts or stops the servers that the application needs: a database's. Does nothing where it is alone."""
        if os.path.exists(os.path.join(HERE, self.name, "server")) and os.path.exists(self.folder):
            # What is started must not hold on to what this program's output goes to.
            command = [os.path.join(HERE, self.name, "server"), self.folder, what]
            if subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode != 0 and what == "start":
                sys.exit(f"{self.name}/server did not start")

    def script(self, script, *arguments):
        command = [os.path.join(HERE, self.name, script), self.folder, *arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"{self.name}/{script} ended with {done.returncode}")
        return done.stdout

    def restage(self, *arguments):
        """Runs restage in the subject's folder; what it printed as JSON. It exits 1 where it finds differences."""
        command = [RESTAGE, *arguments, "--json", "--quiet"]
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)} ended with {done.returncode}")
        return json.loads(done.stdout)

    def calibrate(self):
        """Learns the noise, where this restage can; whether it can."""
        can = knows("calibrate")
        if can:
            self.restage("calibrate", "--runs", "5")
        return can


def knows(command, option=None):
    """Whether this restage has a command, and an option of it."""
    told = subprocess.run([RESTAGE, command, "--help"], capture_output=True, text=True)
    return told.returncode == 0 and (option is None or option in told.stdout)


def for_each(names, work):
    """Does some work on the subjects of these names, each in a folder that is gone afterwards; on all, where none is
    named. The work returns what went wrong, as lines."""
    # Where users are drawn, there are no faulty versions, and nothing is checked.
    known = sorted(name for name in os.listdir(HERE) if os.path.exists(os.path.join(HERE, name, "sessions.py")))
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"no subject is called {unknown[0]}: there is {', '.join(known)}")
    # Whoever is told to end stops the servers first.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to end"))
    wrong = []
    for name in names or known:
        with tempfile.TemporaryDirectory() as folder:
            # A database server may have to run as somebody else than root.
            os.chmod(folder, 0o755)
            subject = Subject(name, folder)
            try:
                wrong += work(subject)
            finally:
                subject.servers("stop")
    if wrong:
        sys.exit("\n".join(wrong))
