"""The page by flup's server for SCGI."""

import logging
import sys

from flup.server.scgi import WSGIServer
from wsgi import application

address = ("127.0.0.1", int(sys.argv[1]))
# By default it writes a line for each request.
WSGIServer(application, scriptName="", bindAddress=address, loggingLevel=logging.WARNING).run()
