"""A subject in a folder of its own: its scripts, and restage on it."""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RESTAGE = os.environ.get("RESTAGE", "restage")


class Subject:
    def __init__(self, name, folder):
        self.name, self.folder = name, os.path.join(folder, name)

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
        can = subprocess.run([RESTAGE, "calibrate", "--help"], capture_output=True).returncode == 0
        if can:
            self.restage("calibrate", "--runs", "5")
        return can


def for_each(names, work):
    """Does some work on the subjects of these names, each in a folder that is gone afterwards; on all, where none is
    named. The work returns what went wrong, as lines."""
    known = sorted(name for name in os.listdir(HERE) if os.path.exists(os.path.join(HERE, name, "set-up")))
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"no subject is called {unknown[0]}: there is {', '.join(known)}")
    wrong = []
    for name in names or known:
        with tempfile.TemporaryDirectory() as folder:
            wrong += work(Subject(name, folder))
    if wrong:
        sys.exit("\n".join(wrong))
