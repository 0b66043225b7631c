"""Where a request begins and ends, in servers and frameworks. The outermost layer that is known counts."""

import functools

from . import record

_HEADER = "HTTP_RESTAGE_STEP"


def watched_wsgi(application):
    """A WSGI application that is watched."""

    @functools.wraps(application, updated=())
    def call(*arguments):
        environ = arguments[-2]
        step = environ.pop(_HEADER, None) if isinstance(environ, dict) else None
        request = record.start(step)
        if request is None:
            return application(*arguments)
        try:
            answer = application(*arguments)
        except BaseException as problem:
            request.error(problem)
            record.end(request)
            raise
        # Servers look at the length of a list, and all of it is there.
        if isinstance(answer, (list, tuple)):
            record.end(request)
            return answer
        return _answer(answer, request)

    return call


def _answer(answer, request):
    class Answer:
        """What the application answers with; the request ends with it."""

        def __iter__(self):
            try:
                yield from answer
            except BaseException as problem:
                if not isinstance(problem, GeneratorExit):
                    request.error(problem)
                raise

        def close(self):
            try:
                if hasattr(answer, "close"):
                    answer.close()
            finally:
                record.end(request)

        def __getattr__(self, name):
            return getattr(answer, name)

    if hasattr(answer, "__len__"):
        Answer.__len__ = lambda self: len(answer)
    return Answer()


def watched_asgi(application):
    """An ASGI application that is watched."""

    @functools.wraps(application, updated=())
    async def call(*arguments):
        *own, scope, receive, send = arguments
        if scope.get("type") != "http":
            return await application(*arguments)
        steps = [value for name, value in scope.get("headers", ()) if name.lower() == b"restage-step"]
        request = record.start(steps[0].decode("latin-1") if steps else None)
        if steps:
            scope = dict(scope, headers=[field for field in scope["headers"] if field[0].lower() != b"restage-step"])
        try:
            return await application(*own, scope, receive, send)
        except BaseException as problem:
            if request is not None:
                request.error(problem)
            raise
        finally:
            record.end(request)

    return call


def _http_server(module):
    handler = module.BaseHTTPRequestHandler
    parse = handler.parse_request

    @functools.wraps(parse)
    def parse_request(self):
        _close(self)
        parsed = parse(self)
        if parsed:
            step = self.headers.get("Restage-Step")
            if step is not None:
                del self.headers["Restage-Step"]
                self.restage_facts = record.start(step)
        return parsed

    handler.parse_request = parse_request
    # One request of a connection that is kept; and the end of any, for handlers that read it otherwise.
    for name in ("handle_one_request", "finish"):
        setattr(handler, name, _closing(getattr(handler, name)))


def _closing(method):
    @functools.wraps(method)
    def call(self, *arguments):
        try:
            return method(self, *arguments)
        except BaseException as problem:
            request = self.__dict__.get("restage_facts")
            if request is not None:
                request.error(problem)
            raise
        finally:
            _close(self)

    return call


def _close(handler):
    request = handler.__dict__.pop("restage_facts", None)
    if request is not None:
        record.end(request)


def _logging(module):
    handle = module.Logger.handle

    @functools.wraps(handle)
    def watched(self, entry):
        request = record.current.get()
        if request is not None and entry.exc_info and isinstance(entry.exc_info[1], BaseException):
            request.error(entry.exc_info[1], entry.exc_info[2])
        return handle(self, entry)

    module.Logger.handle = watched


def _threading(module):
    """A thread that the application starts while it answers works for the same request."""
    import contextvars

    start = module.Thread.start

    @functools.wraps(start)
    def watched(self):
        if record.current.get() is not None:
            self.run = functools.partial(contextvars.copy_context().run, self.run)
        return start(self)

    module.Thread.start = watched


def _gunicorn(module):
    load = module.Worker.load_wsgi

    @functools.wraps(load)
    def load_wsgi(self):
        load(self)
        self.wsgi = watched_wsgi(self.wsgi)

    module.Worker.load_wsgi = load_wsgi


def _waitress(module):
    create = module.create_server

    @functools.wraps(create)
    def create_server(application, *arguments, **named):
        return create(watched_wsgi(application), *arguments, **named)

    module.create_server = create_server


def _uvicorn(module):
    load = module.Config.load

    @functools.wraps(load)
    def watched(self):
        load(self)
        self.loaded_app = watched_asgi(self.loaded_app)

    module.Config.load = watched


def _method(of, watched):
    def change(module):
        kind = getattr(module, of)
        kind.__call__ = watched(kind.__call__)

    return change


AFTER_IMPORT = {
    "http.server": _http_server,
    "logging": _logging,
    "threading": _threading,
    "gunicorn.workers.base": _gunicorn,
    "waitress.server": _waitress,
    "uvicorn.config": _uvicorn,
    "django.core.handlers.wsgi": _method("WSGIHandler", watched_wsgi),
    "django.core.handlers.asgi": _method("ASGIHandler", watched_asgi),
    "flask.app": _method("Flask", watched_wsgi),
    "bottle": _method("Bottle", watched_wsgi),
    "starlette.applications": _method("Starlette", watched_asgi),
}
