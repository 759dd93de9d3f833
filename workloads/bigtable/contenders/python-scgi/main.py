"""The page by flup's server for SCGI."""

import sys

from flup.server.scgi import WSGIServer
from wsgi import application

WSGIServer(application, scriptName="", bindAddress=("127.0.0.1", int(sys.argv[1]))).run()
