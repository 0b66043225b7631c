"""One request of a step, and the line that is written when it is done. Which request it is goes by context, so that
threads and tasks that run at once are not mixed up."""

import contextvars
import json
import os
import platform
import sys
import threading

from . import values

current = contextvars.ContextVar("restage_facts", default=None)
_lock = threading.Lock()
_settings = {"facts": "", "want": frozenset(), "roots": (), "own": ""}
_relative = {}
_MOST = 20000


def set_up(environment):
    _settings["facts"] = environment.get("RESTAGE_FACTS", "")
    _settings["want"] = frozenset(filter(None, environment.get("RESTAGE_FACTS_WANT", "").split(",")))
    roots = [os.path.realpath(root).rstrip("/") + "/" for root in environment.get("RESTAGE_FACTS_ROOT", "").split(":") if root]
    _settings["roots"] = tuple(sorted(roots, key=len, reverse=True))
    _settings["own"] = os.path.dirname(os.path.dirname(os.path.realpath(__file__))) + "/"


def wants(what):
    return what in _settings["want"]


def relative(file):
    """A file of the application, relative to its folder; None for one elsewhere, and for what was installed beside it."""
    try:
        return _relative[file]
    except KeyError:
        pass
    found = None
    if not file.startswith("<"):
        path = os.path.realpath(file)
        if not path.startswith(_settings["own"]):
            for root in _settings["roots"]:
                if path.startswith(root):
                    found = path[len(root):]
                    break
        if found is not None and _installed(root, found):
            found = None
    _relative[file] = found
    return found


def _installed(root, path):
    parts = path.split("/")[:-1]
    if "site-packages" in parts or "dist-packages" in parts or "node_modules" in parts:
        return True
    return any(os.path.exists(root + "/".join(parts[:n + 1]) + "/pyvenv.cfg") for n in range(len(parts)))


def caller(frame):
    """The place in the application that called, from a frame on."""
    while frame is not None:
        file = relative(frame.f_code.co_filename)
        if file is not None:
            return file, frame.f_lineno
        frame = frame.f_back
    return None, None


class Record:
    """What was seen so far of a request."""

    def __init__(self, step):
        self.step = step
        self.lines = {}
        self.branches = {}
        self.sources = {}
        self.sql = []
        self.errors = {}
        self.notes = {}
        self.session = None
        self.token = None
        self.done = False

    def error(self, problem, trace=None):
        if not wants("errors"):
            return
        trace = trace or problem.__traceback__
        place = last = None
        while trace is not None:
            last = (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
            file = relative(last[0])
            place = (file, last[1]) if file is not None else place
            trace = trace.tb_next
        fact = {"type": type(problem).__name__, "message": str(problem)[:4096]}
        if place or last:
            fact["file"], fact["line"] = place or last
        self.errors.setdefault((fact["type"], fact.get("file"), fact.get("line")), fact)

    def note(self, text):
        self.notes[text] = True

    def statement(self, text, bound, frame):
        """A statement that is sent; None where there are too many."""
        if not wants("sql") or len(self.sql) >= _MOST:
            return None
        file, line = caller(frame)
        fact = {"text": text, "bound": values.bound(bound), "rows": None, "error": None, "file": file, "line": line}
        self.sql.append(fact)
        return fact

    def as_json(self):
        record = {"v": 1, "step": self.step, "runtime": "python " + platform.python_version()}
        lines = []
        if wants("lines") and self.lines:
            record["lines"] = {file: values.runs(ran) for file, ran in self.lines.items()}
        if self.sources:
            from . import outline

            lines, branches = outline.describe(self.sources, self.branches, wants("branches"), _settings["facts"] + ".seen")
            if branches:
                record["branches"] = {file: values.runs(taken) for file, taken in branches.items()}
        if wants("session") and self.session is not None:
            session = self.session.facts()
            if session:
                record["session"] = session
        if self.sql:
            record["sql"] = [{k: v for k, v in fact.items() if v is not None and v != []} for fact in self.sql]
        if self.errors:
            record["errors"] = list(self.errors.values())
        if self.notes:
            record["notes"] = list(self.notes)
        return "".join(json.dumps(line) + "\n" for line in [*lines, record])


def start(step):
    """Begins to watch, unless an outer layer has begun already."""
    if not step or not _settings["facts"] or current.get() is not None:
        return None
    record = Record(step)
    record.token = current.set(record)
    try:
        from . import coverage

        coverage.start(record)
    except Exception:
        record.note("no lines: the interpreter cannot be traced")
    return record


def end(record):
    if record is None or record.done:
        return
    record.done = True
    try:
        from . import coverage

        coverage.stop()
        _append(record.as_json().encode())
    except Exception:
        pass  # Nothing of it may reach the application.
    finally:
        try:
            current.reset(record.token)
        except ValueError:
            # Ended in another context, as where a server closes an answer.
            if current.get() is record:
                current.set(None)


def _append(data):
    import fcntl

    with _lock:
        file = os.open(_settings["facts"], os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            while data:
                data = data[os.write(file, data):]
        finally:
            os.close(file)


def frame():
    """The frame of whoever called the function that asks."""
    return sys._getframe(2)
