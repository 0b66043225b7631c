"""The site that both releases of a pair run: settings, addresses and content in one file, for Django 2.2 and for Django 5.2.

PAIR names what it holds, `admin` or `helpdesk`. As a program it is Django's manage.py, with one command more: `content`.
"""

import os
import sys

PAIR = os.environ["PAIR"]
DATA = os.environ.get("DATA", os.path.abspath("data"))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "harbour")

SECRET_KEY = "lighthouse"
DEBUG = False
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "harbour"
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
MEDIA_ROOT = os.path.join(DATA, "media")
SITE_ID = 1
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
# Quick, and the same in both releases.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(DATA, "harbour.sqlite3")}}
INSTALLED_APPS = ["admin", "auth", "contenttypes", "sessions", "messages", "staticfiles", "sites", "flatpages", "redirects", "humanize"]
INSTALLED_APPS = ["django.contrib." + name for name in INSTALLED_APPS]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
if PAIR == "admin":
    MIDDLEWARE += ["django.contrib.flatpages.middleware.FlatpageFallbackMiddleware", "django.contrib.redirects.middleware.RedirectFallbackMiddleware"]
else:
    import importlib.util

    helpers = ["markdown_deux", "bootstrapform", "rest_framework", "bootstrap4form"]
    INSTALLED_APPS += [name for name in helpers if importlib.util.find_spec(name)] + ["helpdesk"]
    # Without the optional application for teams.
    HELPDESK_TEAMS_MODEL = "auth.Group"
    HELPDESK_TEAMS_MIGRATION_DEPENDENCIES = [("auth", "0001_initial")]
    HELPDESK_KBITEM_TEAM_GETTER = lambda item: None
    LOGIN_URL = "helpdesk:login"
    LOGIN_REDIRECT_URL = "helpdesk:home"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "DIRS": [os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
_ADDRESSES = []


def __getattr__(name):
    """Addresses and the server's entry need settings that are read."""
    if name == "urlpatterns":
        if not _ADDRESSES:
            from django.contrib import admin
            from django.urls import include, path

            _ADDRESSES.append(path("admin/", admin.site.urls))
            if PAIR == "helpdesk":
                _ADDRESSES.append(path("", include("helpdesk.urls", namespace="helpdesk")))
        return _ADDRESSES
    if name == "application":
        from django.contrib.staticfiles.handlers import StaticFilesHandler
        from django.core.wsgi import get_wsgi_application

        return up_to_date(StaticFilesHandler(get_wsgi_application()))
    raise AttributeError(name)


def up_to_date(serve):
    """Brings a database of the old release to the new one's schema before a page is served. Data is put back before each session, so that
    it is not enough to do that when the server starts."""
    import threading

    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor
    from django.db.migrations.recorder import MigrationRecorder

    newest = set(MigrationExecutor(connection).loader.disk_migrations)
    one = threading.Lock()

    def application(environ, start_response):
        with one:
            if newest - set(MigrationRecorder(connection).applied_migrations()):
                call_command("migrate", verbosity=0, interactive=False)
            connection.close()
        return serve(environ, start_response)

    return application


def content():
    """Users, and what they find."""
    import django

    django.setup()
    from django.contrib.auth.models import Group, Permission, User
    from django.contrib.flatpages.models import FlatPage
    from django.contrib.sites.models import Site

    Site.objects.filter(pk=1).update(domain="harbour.test", name="The harbour")
    people = {}
    for name in ("alan", "ada", "grace"):
        boss = name == "alan"
        secret, mail = os.environ["PASSWORD_" + name.upper()], os.environ["ADDRESS_" + name.upper()]
        people[name] = User.objects.create_user(name, mail, secret, is_staff=name != "grace" or PAIR == "admin", is_superuser=boss)
    if PAIR == "admin":
        editors = Group.objects.create(name="Editors")
        editors.permissions.set(Permission.objects.filter(content_type__app_label__in=("flatpages", "redirects")))
        people["ada"].groups.add(editors)
        for url, title, text in (("/about/", "About the harbour", "It has two cranes."), ("/ferry/", "The ferry", "It leaves at eight.")):
            FlatPage.objects.create(url=url, title=title, content=text).sites.add(1)
        return
    from helpdesk.models import KBCategory, KBItem, Queue, Ticket

    works = Queue.objects.create(title="Works", slug="works", allow_public_submission=True)
    ships = Queue.objects.create(title="Ships", slug="ships", allow_public_submission=True)
    for queue, title, text, who in (
        (works, "The crane squeaks", "It lifts only twelve tonnes.", None),
        (works, "The lantern is dark", "Since Monday.", people["ada"]),
        (ships, "The ferry is late", "The 08:00 boat left at 08:20.", None),
    ):
        Ticket.objects.create(queue=queue, title=title, description=text, assigned_to=who, submitter_email=os.environ["ADDRESS_GRACE"])
    category = KBCategory.objects.create(title="Mooring", slug="mooring", description="How ships are tied up")
    for title, question, answer in (("Knots", "Which knot?", "A bowline."), ("Fees", "What does it cost?", "Ten a night.")):
        KBItem.objects.create(category=category, title=title, question=question, answer=answer)


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    if sys.argv[1:] == ["content"]:
        content()
    else:
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
