"""Statements that go through drivers of the DB-API. Cursors in C are given subclasses, those in Python other methods."""

import functools

from . import record


def _send(text, bound, send, cursor_of):
    request = record.current.get()
    if request is None or request.done:
        return send(), None
    if isinstance(text, (bytes, bytearray)):
        text = bytes(text).decode(errors="replace")
    fact = request.statement(str(text), bound, record.frame())
    try:
        result = send()
    except Exception as problem:
        if fact is not None:
            fact["error"] = str(problem)
        raise
    if fact is not None:
        count = getattr(cursor_of(result), "rowcount", None)
        if isinstance(count, int) and count >= 0:
            fact["rows"] = count
    return result, fact


class _Cursor:
    """In front of a cursor's own class. Where its driver does not know how many rows there are, they are counted."""

    def execute(self, text, *bound, **named):
        send = functools.partial(super().execute, text, *bound, **named)
        result, self._restage_fact = _send(text, bound[0] if bound else named.get("vars"), send, lambda result: self)
        return result

    def executemany(self, text, bound, **named):
        send = functools.partial(super().executemany, text, bound, **named)
        result, self._restage_fact = _send(text, None, send, lambda result: self)
        return result

    def _restage_count(self, rows):
        fact = self.__dict__.get("_restage_fact") if hasattr(self, "__dict__") else None
        if fact is not None and rows and self.rowcount < 0:
            fact["rows"] = (fact["rows"] or 0) + rows

    def fetchone(self):
        row = super().fetchone()
        self._restage_count(row is not None)
        return row

    def fetchmany(self, *arguments, **named):
        rows = super().fetchmany(*arguments, **named)
        self._restage_count(len(rows))
        return rows

    def fetchall(self):
        rows = super().fetchall()
        self._restage_count(len(rows))
        return rows

    def __next__(self):
        row = super().__next__()
        self._restage_count(1)
        return row


@functools.lru_cache(maxsize=None)
def _cursor(base):
    if issubclass(base, _Cursor):
        return base
    # `executescript` sends statements, too, and is SQLite's alone.
    members = {"__module__": base.__module__, "__qualname__": base.__qualname__}
    if hasattr(base, "executescript"):

        def executescript(self, text):
            return _send(text, None, functools.partial(base.executescript, self, text), lambda result: None)[0]

        members["executescript"] = executescript
    return type(base.__name__, (_Cursor, base), members)


@functools.lru_cache(maxsize=None)
def _connection(base, plain_cursor, argument):
    """A class of connections whose cursors are watched; `argument` names the class of a cursor."""

    def cursor(self, *arguments, **named):
        if argument == "factory" and arguments:
            arguments = (_cursor(arguments[0]) if isinstance(arguments[0], type) else arguments[0], *arguments[1:])
        else:
            asked = named.get(argument) or getattr(self, argument, None) or plain_cursor
            if isinstance(asked, type):
                named[argument] = _cursor(asked)
        return base.cursor(self, *arguments, **named)

    members = {"__module__": base.__module__, "__qualname__": base.__qualname__, "cursor": cursor}
    for name in ("execute", "executemany", "executescript"):
        if hasattr(base, name):

            def shortcut(self, *arguments, _name=name):
                return getattr(self.cursor(), _name)(*arguments)

            members[name] = shortcut
    return type(base.__name__, (base,), members)


def _sqlite3(module):
    connect = module.connect

    @functools.wraps(connect)
    def watched(*arguments, **named):
        given = arguments[5] if len(arguments) > 5 else named.get("factory", module.Connection)
        if isinstance(given, type):
            kind = _connection(given, module.Cursor, "factory")
            if len(arguments) > 5:
                arguments = (*arguments[:5], kind, *arguments[6:])
            else:
                named["factory"] = kind
        return connect(*arguments, **named)

    module.connect = watched


def _psycopg2(module):
    connect = module.connect
    extensions = module.extensions

    @functools.wraps(connect)
    def watched(dsn=None, connection_factory=None, cursor_factory=None, **named):
        kind = connection_factory or extensions.connection
        if isinstance(kind, type):
            kind = _connection(kind, extensions.cursor, "cursor_factory")
        return connect(dsn, connection_factory=kind, cursor_factory=cursor_factory, **named)

    module.connect = watched


def _methods(*kinds):
    """Watches cursors that are made in Python, by their methods."""

    def change(module):
        for name in kinds:
            kind = getattr(module, name, None)
            if kind is None or "execute" not in vars(kind):
                continue
            kind.execute = _method(kind.execute)

    return change


def _method(execute):
    @functools.wraps(execute)
    def watched(self, text, *bound, **named):
        send = functools.partial(execute, self, text, *bound, **named)
        values = bound[0] if bound else named.get("args", named.get("params"))
        return _send(text, values, send, lambda result: self)[0]

    return watched


AFTER_IMPORT = {
    "sqlite3": _sqlite3,
    "sqlite3.dbapi2": _sqlite3,
    "psycopg2": _psycopg2,
    "psycopg.cursor": _methods("Cursor"),
    "pymysql.cursors": _methods("Cursor"),
    "MySQLdb.cursors": _methods("BaseCursor"),
    "mysql.connector.cursor": _methods("MySQLCursor", "MySQLCursorPrepared"),
    "mysql.connector.cursor_cext": _methods("CMySQLCursor", "CMySQLCursorPrepared"),
}
