"""The page by a Jinja2 template, as an RSGI application on granian."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from page import Refused, asked

HTML = [("content-type", "text/html; charset=utf-8")]
TEXT = [("content-type", "text/plain")]

templates = FileSystemLoader(Path(__file__).parent / "templates")
template = Environment(loader=templates, autoescape=True).get_template("page.html")


async def app(scope, protocol) -> None:
    """granian, by hyper, adds Date and Content-Length."""
    if scope.path != "/":
        return protocol.response_str(404, TEXT, "not found\n")
    try:
        rows, columns = asked(scope.query_string)
    except Refused as why:
        return protocol.response_str(400, TEXT, f"{why}\n")
    protocol.response_str(200, HTML, template.render(rows=rows, columns=columns))
