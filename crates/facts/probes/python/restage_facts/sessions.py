"""The sessions of Django and Flask: their values before and after, and what is read and written."""

import functools

from . import record, values


class _Session:
    def __init__(self, before):
        self.before = before
        self.after = lambda: None
        self.reads = {}
        self.writes = {}

    def facts(self):
        facts = {"before": self.before, "after": self.after()}
        facts = {name: value for name, value in facts.items() if value is not None}
        if self.reads:
            facts["reads"] = [str(name) for name in self.reads]
        if self.writes:
            facts["writes"] = [str(name) for name in self.writes]
        return facts


def _now(session):
    """What is kept of the session; None where it is another one, or none is watched."""
    request = record.current.get()
    kept = request.session if request is not None else None
    return kept if kept is not None and kept.of is session else None


def _watch(kind, name, note):
    method = getattr(kind, name, None)
    if method is None:
        return

    @functools.wraps(method)
    def watched(self, *arguments, **named):
        kept = _now(self)
        if kept is not None:
            note(kept, self, arguments, named)
            return method(self, *arguments, **named)
        try:
            return method(self, *arguments, **named)
        finally:
            # The first one of a request has Django load the session.
            kept = _now(self)
            if kept is not None:
                note(kept, self, arguments, named)

    setattr(kind, name, watched)


def _watch_values(kind):
    def reads(kept, session, arguments, named):
        kept.reads.setdefault(arguments[0])

    def writes(kept, session, arguments, named):
        kept.writes.setdefault(arguments[0])

    def updates(kept, session, arguments, named):
        for name in [*(arguments[0] if arguments and hasattr(arguments[0], "keys") else ()), *named]:
            kept.writes.setdefault(name)

    def clears(kept, session, arguments, named):
        for name in list(kept.before or ()):
            kept.writes.setdefault(name.split(".")[0])

    for name in ("__getitem__", "get", "__contains__", "has_key"):
        _watch(kind, name, reads)
    for name in ("__setitem__", "__delitem__", "pop", "setdefault"):
        _watch(kind, name, writes)
    _watch(kind, "update", updates)
    for name in ("clear", "flush"):
        _watch(kind, name, clears)


def _begin(session, before):
    request = record.current.get()
    if request is None or request.session is not None or not record.wants("session"):
        return None
    kept = request.session = _Session(before)
    kept.of = session
    return kept


def _django(module):
    base = module.SessionBase
    load = base._get_session

    @functools.wraps(load)
    def watched(self, *arguments, **named):
        found = load(self, *arguments, **named)
        if isinstance(found, dict):
            kept = _begin(self, values.flatten(found) if self.session_key is not None else None)
            if kept is not None:

                def after():
                    cache = self.__dict__.get("_session_cache")
                    return values.flatten(cache) if isinstance(cache, dict) and (cache or self.session_key is not None) else None

                kept.after = after
        return found

    base._get_session = watched
    base._session = property(watched)
    _watch_values(base)


def _flask(module):
    interface = module.SecureCookieSessionInterface
    open_session = interface.open_session
    _watch_values(module.SecureCookieSession)

    @functools.wraps(open_session)
    def watched(self, app, request):
        session = open_session(self, app, request)
        if isinstance(session, dict):
            kept = _begin(session, values.flatten(session) or None)
            if kept is not None:
                # Flask removes the cookie of a session without values.
                kept.after = lambda: values.flatten(session) or None
        return session

    interface.open_session = watched


AFTER_IMPORT = {"django.contrib.sessions.backends.base": _django, "flask.sessions": _flask}
