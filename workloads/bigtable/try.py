#!/usr/bin/env python3
"""Tries one contender of bigtable by itself, more widely than `tare check` does.

    try.py http COMMAND…       a server, `{port}` in its command
    try.py fastcgi COMMAND…    a responder; without `{port}` its socket is its standard input
    try.py scgi COMMAND…       the same
    try.py cgi PROGRAM         a program a request

Asks for pages of many sizes, several on one connection where the way allows it, parses every cell; asks for what must be
refused; and ends it by SIGTERM (STOP=KILL in the environment: by that) while a connection is open.
"""

import os
import signal
import socket
import struct
import subprocess
import sys
import time
from html.parser import HTMLParser

TIMEOUT = 30
STOP = signal.Signals["SIG" + os.environ.get("STOP", "TERM")]
PAGES = [(rows, columns) for rows in (1, 2, 1000, 10000) for columns in (None, 1, 9, 10, 100)]
REFUSED = ["", "columns=50", "rows=", "rows=0", "rows=10001", "rows=-1", "rows=1x", "rows=1.5", "rows=ten",
           "rows=99999999999999999999", "rows=1&columns=0", "rows=1&columns=101", "rows=1&columns=x", "rows=1&columns="]


class Table(HTMLParser):
    """The rows of the page's one table, as lists of texts."""

    def __init__(self):
        super().__init__()
        self.rows, self.cell, self.tables, self.open = [], None, 0, []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tables += tag == "table"
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.cell = ""

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes something else"
        if tag == "td":
            self.rows[-1].append(self.cell.strip())
            self.cell = None


def judge(query, status, head, body, rows, columns):
    assert status == 200, f"{query}: status {status}"
    kind = head.get("content-type", "").split(";")[0]
    assert kind == "text/html", f"{query}: type {kind!r}"
    table = Table()
    table.feed(body.decode())
    assert table.tables == 1 and not table.open, f"{query}: {table.tables} tables, left open: {table.open}"
    wanted = [str(column) for column in range(1, columns + 1)]
    assert len(table.rows) == rows, f"{query}: {len(table.rows)} rows"
    for row in table.rows:
        assert row == wanted, f"{query}: {row}"


def fields(lines):
    pairs = (line.split(b":", 1) for line in lines if line)
    return {name.decode().lower(): value.decode().strip() for name, value in pairs}


def program_answer(output):
    """What a CGI program and its resident kin answer: header fields, an empty line, the body."""
    end = min(at for at in (output.find(b"\r\n\r\n"), output.find(b"\n\n")) if at >= 0)
    gap = 4 if output[end:end + 4] == b"\r\n\r\n" else 2
    head = fields(output[:end].replace(b"\r\n", b"\n").split(b"\n"))
    return int(head.get("status", "200").split()[0]), head, output[end + gap:]


def environment(query):
    return {"GATEWAY_INTERFACE": "CGI/1.1", "REQUEST_METHOD": "GET", "QUERY_STRING": query, "SCRIPT_NAME": "",
            "PATH_INFO": "/", "REQUEST_URI": "/?" + query, "SERVER_PROTOCOL": "HTTP/1.1", "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80", "REMOTE_ADDR": "127.0.0.1", "CONTENT_LENGTH": "0"}


def connect(port):
    return socket.create_connection(("127.0.0.1", port), TIMEOUT)


class Http:
    keeps = True

    def __init__(self, port):
        self.stream = connect(port).makefile("rwb")

    def ask(self, query, path="/"):
        target = f"{path}?{query}" if query else path
        self.stream.write(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        self.stream.flush()
        status = int(self.stream.readline().split()[1])
        head = fields(iter(lambda: self.stream.readline().rstrip(b"\r\n"), b""))
        return status, head, self.body(head)

    def body(self, head):
        if "content-length" in head:
            return self.stream.read(int(head["content-length"]))
        assert head.get("transfer-encoding") == "chunked", f"no length: {head}"
        body = b""
        while size := int(self.stream.readline(), 16):
            body += self.stream.read(size)
            assert self.stream.readline() == b"\r\n"
        self.stream.readline()
        return body


class FastCgi:
    keeps = True

    def __init__(self, port):
        self.stream = connect(port).makefile("rwb")

    def record(self, kind, content=b""):
        self.stream.write(struct.pack("!BBHHBx", 1, kind, 1, len(content), 0) + content)

    def ask(self, query):
        self.record(1, struct.pack("!HB5x", 1, 1))
        pairs = ((name.encode(), value.encode()) for name, value in environment(query).items())
        self.record(4, b"".join(bytes([len(name), len(value)]) + name + value for name, value in pairs))
        self.record(4)
        self.record(5)
        self.stream.flush()
        output = b""
        while True:
            version, kind, which, size, padding = struct.unpack("!BBHHBx", self.stream.read(8))
            content = self.stream.read(size + padding)[:size]
            assert (version, which) == (1, 1), f"a record of version {version} for request {which}"
            if kind == 3:
                assert struct.unpack("!IB3x", content) == (0, 0), f"END_REQUEST with {content}"
                return program_answer(output)
            assert kind == 6, f"a record of type {kind}: {content[:200]}"
            output += content


class Scgi:
    keeps = False

    def __init__(self, port):
        self.socket = connect(port)

    def ask(self, query):
        rest = {name: value for name, value in environment(query).items() if name != "CONTENT_LENGTH"}
        pairs = {"CONTENT_LENGTH": "0", "SCGI": "1", **rest}
        block = "".join(f"{name}\0{value}\0" for name, value in pairs.items()).encode()
        self.socket.sendall(b"%d:%s," % (len(block), block))
        return program_answer(self.socket.makefile("rb").read())


class Cgi:
    keeps = False

    def __init__(self, program):
        self.program = program

    def ask(self, query):
        variables = {**os.environ, **environment(query)}
        done = subprocess.run([self.program], env=variables, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
        assert done.returncode == 0, f"{query}: exit status {done.returncode}: {done.stderr.decode()}"
        return program_answer(done.stdout)


def start(command):
    """Starts it with a socket of its own, and waits until it accepts connections."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    own = any("{port}" in word for word in command)
    if not own:
        listener.listen(128)
    command = [word.replace("{port}", str(port)) for word in command]
    stdin = subprocess.DEVNULL if own else listener
    if own:
        listener.close()
    process = subprocess.Popen(command, stdin=stdin)
    listener.close()
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            connect(port).close()
            return process, port
        except OSError:
            assert process.poll() is None, f"it ended with {process.returncode}"
            assert time.monotonic() < deadline, "it accepts no connection"
            time.sleep(0.02)


def try_all(way, address):
    peer, asked = None, 0
    for rows, columns in PAGES:
        query = f"rows={rows}" + (f"&columns={columns}" if columns else "")
        queries = {query, "&".join(reversed(query.split("&")))}
        for query in sorted(queries):
            peer = peer if peer and way.keeps else way(address)
            judge(query, *peer.ask(query), rows, columns or 50)
            asked += 1
    peer = None  # closed: some responders have one connection at a time
    # Servers may close a connection behind a refusal.
    for query in REFUSED:
        status = way(address).ask(query)[0]
        assert status == 400, f"?{query}: status {status}, not 400"
    if way is Http:
        status = way(address).ask("rows=1", "/other")[0]
        assert status == 404, f"/other: status {status}, not 404"
    return asked


def end(process, way, port):
    peer = way(port)  # open, and idle
    process.send_signal(STOP)
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        process.kill()
        raise AssertionError(f"{STOP.name} does not end it within 2 s") from None
    del peer


def main():
    name, *command = sys.argv[1:]
    way = {"http": Http, "fastcgi": FastCgi, "scgi": Scgi, "cgi": Cgi}[name]
    if way is Cgi:
        print(try_all(way, os.path.abspath(command[0])), "pages right")
        return
    process, port = start(command)
    try:
        asked = try_all(way, port)
        end(process, way, port)
    finally:
        process.kill()
    print(asked, f"pages right, ended by {STOP.name}")


if __name__ == "__main__":
    main()
