"""The page by flipflop, whose socket is the standard input."""

from flipflop import WSGIServer
from wsgi import application

WSGIServer(application).run()
