"""The page as a WSGI application."""

from page import Refused, asked, page


def application(environ, start_response):
    try:
        status, kind, body = "200 OK", "text/html", page(*asked(environ.get("QUERY_STRING", "")))
    except Refused as why:
        status, kind, body = "400 Bad Request", "text/plain", f"{why}\n"
    data = body.encode()
    start_response(status, [("Content-Type", kind), ("Content-Length", str(len(data)))])
    return [data]
