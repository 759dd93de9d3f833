#!/usr/bin/env python3
"""Tries what of FastCGI `try.py` leaves out, and a responder that was written for bigtable must hold.

    try_responder.py COMMAND…    with `{port}` in it; without, its socket is its standard input

Records in any pieces, with padding; long names and values; ids of two bytes; connections that are not kept, and ones that
go away; several at once; and, of a responder that does not leave it to libfcgi (`{port}` in its command), management
records, roles that it has not, and requests that are given up.
"""

import importlib
import struct
import sys
import threading
import time

base = importlib.import_module("try")

BEGIN, ABORT, END, PARAMS, STDIN, STDOUT = 1, 2, 3, 4, 5, 6
VALUES, RESULT, UNKNOWN = 9, 10, 11
RESPONDER, AUTHORIZER = 1, 2


def record(kind, request, content=b"", padding=0):
    return struct.pack("!BBHHBx", 1, kind, request, len(content), padding) + content + bytes(padding)


def begin(request, keep=True, role=RESPONDER):
    return record(BEGIN, request, struct.pack("!HB5x", role, keep))


def pair(name, value):
    sizes = (bytes([len(text)]) if len(text) < 128 else struct.pack("!I", len(text) | 1 << 31) for text in (name, value))
    return b"".join(sizes) + name + value


def question(request, query, keep=True):
    """A whole request, its meta-variables in two records with padding, one of them cut within a name or a value."""
    pairs = [(name.encode(), value.encode()) for name, value in base.environment(query).items()]
    params = b"".join(pair(name, value) for name, value in [*pairs, (b"HTTP_" + b"X" * 200, b"y" * 300)])
    half = len(params) // 2
    return (begin(request, keep) + record(PARAMS, request, params[:half], padding=3)
            + record(PARAMS, request, params[half:], padding=255) + record(PARAMS, request) + record(STDIN, request))


class Peer:
    def __init__(self, port):
        self.socket = base.connect(port)
        self.stream = self.socket.makefile("rb")

    def record(self):
        version, kind, request, size, padding = struct.unpack("!BBHHBx", self.stream.read(8))
        assert version == 1, f"a record of version {version}"
        return kind, request, self.stream.read(size + padding)[:size]

    def answer(self, request):
        """The rest of an answer, as `judge` wants it; END_REQUEST must tell of no error."""
        output = b""
        while True:
            kind, found, content = self.record()
            assert found == request, f"a record for {found}, not {request}"
            if kind == END:
                assert content[:5] == bytes(5), f"END_REQUEST with {content}"
                return base.program_answer(output)
            assert kind == STDOUT, f"a record of type {kind}: {content[:200]}"
            output += content

    def ask(self, request, rows, columns, keep=True, pieces=None):
        query = f"rows={rows}&columns={columns}"
        sent = question(request, query, keep)
        for at in range(0, len(sent), pieces or len(sent)):
            self.socket.sendall(sent[at:at + (pieces or len(sent))])
            time.sleep(0.001 if pieces else 0)
        base.judge(query, *self.answer(request), rows, columns)

    def expect(self, sent, *wanted):
        self.socket.sendall(sent)
        for record in wanted:
            found = self.record()
            assert found == record, f"expected {record}, found {found}"


def ended(request, status):
    return END, request, struct.pack("!IB3x", 0, status)


def try_kept(port):
    peer = Peer(port)
    for request, rows, pieces in [(1, 3, None), (2, 3, 7), (255, 2000, None), (256, 1, 1), (65535, 1000, 100)]:
        peer.ask(request, rows, 50, pieces=pieces)
    return peer


def try_not_kept(port):
    peer = Peer(port)
    peer.ask(1, 5, 50, keep=False)
    assert peer.stream.read(1) == b"", "a connection was kept that was not to be"


def try_gone(port, times=30):
    for _ in range(times):
        peer = Peer(port)
        peer.socket.sendall(question(1, "rows=10000"))
        peer.stream.read(1)
        peer.socket.close()
    Peer(port).socket.close()
    Peer(port).ask(1, 1000, 50, keep=False)


def try_at_once(port, peers=8):
    wrong = []

    def one():
        try:
            peer = Peer(port)
            for request in range(1, 6):
                peer.ask(request, 200, 50)
        except Exception as error:  # whatever it is, it is told where it can be seen
            wrong.append(error)

    threads = [threading.Thread(target=one) for _ in range(peers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, f"{len(wrong)} of {peers} at once: {wrong[0]!r}"


def try_management(peer):
    peer.expect(record(VALUES, 0, pair(b"FCGI_MPXS_CONNS", b"")), (RESULT, 0, pair(b"FCGI_MPXS_CONNS", b"0")))
    peer.expect(record(VALUES, 0, pair(b"OTHER", b"")), (RESULT, 0, b""))
    peer.expect(record(77, 0), (UNKNOWN, 0, bytes([77]) + bytes(7)))
    peer.expect(begin(5, role=AUTHORIZER), ended(5, 3))
    peer.expect(begin(5) + begin(6), ended(6, 1))
    peer.expect(record(ABORT, 5), (STDOUT, 5, b""), ended(5, 0))
    peer.socket.sendall(record(STDIN, 5))  # of a request that is over: left alone
    peer.ask(5, 4, 50)


def main():
    command = sys.argv[1:]
    process, port = base.start(command)
    try:
        peer = try_kept(port)
        if any("{port}" in word for word in command):
            try_management(peer)
        try_not_kept(port)
        try_gone(port)
        try_at_once(port)
        peer.ask(9, 2, 50)
        base.end(process, base.FastCgi, port)
    finally:
        process.kill()
    print("right, ended by SIGTERM")


if __name__ == "__main__":
    main()
