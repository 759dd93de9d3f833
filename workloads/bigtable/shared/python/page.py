"""The page, and the query that asks for it."""

from urllib.parse import parse_qs

MAX_ROWS = 10_000
MAX_COLUMNS = 100


class Refused(ValueError):
    """The query asks for no page."""


def number(values: list[str], most: int) -> int:
    text = values[-1]
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
        raise Refused(f"expected a number from 1 to {most}, found {text[:20]!r}")
    return int(text)


def asked(query: str) -> tuple[int, int]:
    """Rows and columns of a query string."""
    values = parse_qs(query, keep_blank_values=True)
    return number(values.get("rows", [""]), MAX_ROWS), number(values.get("columns", ["50"]), MAX_COLUMNS)


def page(rows: int, columns: int) -> str:
    parts = ["<table>"]
    for _ in range(rows):
        cells = "".join([f"<td>{column}</td>" for column in range(1, columns + 1)])
        parts.append(f"<tr>{cells}</tr>\n")
    parts.append("</table>")
    return "".join(parts)
