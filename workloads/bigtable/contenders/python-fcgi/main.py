"""The page by flup, whose socket is the standard input."""

from flup.server.fcgi import WSGIServer
from wsgi import application

WSGIServer(application).run()
