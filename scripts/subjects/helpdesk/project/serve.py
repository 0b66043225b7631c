"""What the server is started with: the site of ../../pairs/harbour.py, with its styles and scripts."""

from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.wsgi import get_wsgi_application

application = StaticFilesHandler(get_wsgi_application())
