"""Lines that ran, and which line came after which: by `sys.monitoring` where Python has it (3.12), else by tracing."""

import sys
import threading

from .record import current, relative

_files = {}
_watching = {"requests": 0, "tool": None}
_lock = threading.Lock()


def _file(code):
    """The file of a piece of code, where it is the application's."""
    try:
        return _files[code]
    except KeyError:
        file = _files[code] = relative(code.co_filename)
        return file


def set_up():
    if hasattr(sys, "monitoring"):
        _monitor()
    else:
        threading.settrace(_trace)


def start(record):
    from .record import wants

    if not (wants("lines") or wants("branches")):
        return
    if hasattr(sys, "monitoring"):
        if _watching["tool"] is None:
            record.note("no lines: other tools use all of sys.monitoring")
            return
        with _lock:
            _watching["requests"] += 1
            sys.monitoring.set_events(_watching["tool"], sys.monitoring.events.LINE | sys.monitoring.events.PY_START)
        return
    with _lock:
        _watching["requests"] += 1
    trace = sys.gettrace()
    if trace is None:
        sys.settrace(_trace)
    elif trace is not _trace:
        record.note("no lines: a debugger or another tool traces the application")


def stop():
    with _lock:
        _watching["requests"] = max(0, _watching["requests"] - 1)
        last = _watching["requests"] == 0
    if hasattr(sys, "monitoring"):
        if last and _watching["tool"] is not None:
            sys.monitoring.set_events(_watching["tool"], 0)
    elif sys.gettrace() is _trace and last:
        sys.settrace(None)


def _ran(record, code, file, before, line):
    lines = record.lines.get(file)
    if lines is None:
        lines = record.lines[file] = set()
        record.branches[file] = set()
        record.sources[file] = code.co_filename
    lines.add(line)
    if before is not None:
        record.branches[file].add((before, line))


def _trace(frame, event, argument):
    if _watching["requests"] == 0:
        return None
    code = frame.f_code
    file = _file(code)
    if file is None:
        return None
    before = None

    def local(frame, event, argument):
        nonlocal before
        record = current.get()
        if record is None or record.done:
            return local
        if event == "line":
            line = frame.f_lineno
            _ran(record, code, file, before, line)
            before = line
        elif event == "return" and before is not None and file in record.branches:
            record.branches[file].add((before, None))
        elif event == "exception":
            # What comes next was not chosen by the line.
            before = None
        return local

    return local


def _monitor():
    monitoring = sys.monitoring
    for tool in (4, 3, 5, 2, 1, 0):
        if monitoring.get_tool(tool) is None:
            monitoring.use_tool_id(tool, "restage")
            _watching["tool"] = tool
            break
    else:
        return

    def on_line(code, line):
        file = _file(code)
        if file is None:
            return monitoring.DISABLE
        record = current.get()
        if record is not None and not record.done:
            # By frame, because a function may run in itself, and generators beside each other.
            frame = sys._getframe(1)
            before = record.__dict__.setdefault("before", {})
            _ran(record, code, file, before.get(id(frame)), line)
            before[id(frame)] = line
        return None

    def on_start(code, offset):
        if _file(code) is None:
            return monitoring.DISABLE
        record = current.get()
        if record is not None:
            record.__dict__.setdefault("before", {}).pop(id(sys._getframe(1)), None)
        return None

    monitoring.register_callback(_watching["tool"], monitoring.events.LINE, on_line)
    monitoring.register_callback(_watching["tool"], monitoring.events.PY_START, on_start)
