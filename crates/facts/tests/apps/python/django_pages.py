import sys
from wsgiref.simple_server import make_server

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.http import HttpResponse
from django.urls import path

settings.configure(
    SECRET_KEY="harbour",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF="__main__",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware"],
    SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
)


def begin(request):
    request.session["game"] = "chess"
    return HttpResponse("begun\n")


def show(request):
    game = request.session["game"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s, '%%'", [game])
        return HttpResponse(f"{cursor.fetchone()}\n")


urlpatterns = [path("", begin), path("show", show)]
django.setup()
make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application()).serve_forever()
