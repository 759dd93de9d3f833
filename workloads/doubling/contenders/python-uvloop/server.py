"""Doubles integers, one a line: a coroutine a connection. The same file serves python-asyncio and python-uvloop."""

import asyncio
import os
import socket
import sys

MAX_LINE = 64 * 1024
BACKLOG = 4096


def answer(line: bytes) -> bytes:
    # bytes.isdigit knows ASCII only; int alone would take spaces, underscores and a plus.
    if not line.removeprefix(b"-").isdigit():
        return b"not an integer\n"
    return b"%d\n" % (int(line) * 2)


def answer_all(lines: list[bytes]) -> tuple[bytes, bool]:
    """The answers, and whether the connection goes on."""
    answers = []
    for line in lines:
        line = line.removesuffix(b"\r")
        if line == b"end":
            return b"".join(answers), False
        answers.append(answer(line))
    return b"".join(answers), True


async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    tail = b""
    more = True
    while more and len(tail) <= MAX_LINE:
        chunk = await reader.read(MAX_LINE)
        if not chunk:
            break
        *lines, tail = (tail + chunk).split(b"\n")
        answers, more = answer_all(lines)
        if answers:
            writer.write(answers)
            await writer.drain()


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        await converse(reader, writer)
    except ConnectionError:
        pass  # a connection that breaks concerns nobody but its peer
    finally:
        writer.close()


async def main() -> None:
    # Python refuses decimal texts of more than 4300 digits unless told otherwise; lines bound them here.
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    # Both loops set TCP_NODELAY on the sockets that they accept.
    host = os.environ.get("HOST", "127.0.0.1")
    server = await asyncio.start_server(
        serve, host, int(sys.argv[1]), family=socket.AF_INET, backlog=BACKLOG
    )
    async with server:
        await server.serve_forever()
