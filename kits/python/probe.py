"""The probe protocol for Python: what stands between tare and the code under test.

A contender says `with = ["kits/python"]` in its manifest and

    import json
    import sys

    sys.path.insert(1, sys.path[0] + "/with/python")
    from probe import Probe

    inputs = [{"number": i * 7919} for i in range(64)]

    probe = Probe()
    probe.job(inputs, lambda value: json.dumps(value).encode())
    probe.serve()

Where the case is swept, each size is a job of its own: `probe.sized(25, inputs, encode)`. A job goes over its
inputs (any list) and makes bytes of each, anew each time; a number is `number(value)`. Further commands
(`read HEX`) are `probe.command("read", answer)`.

The loop hands the input itself to the function, so that an encoder like `orjson.dumps` can be given as it is: a
lambda around it costs as much as its work.
"""

import struct
import sys
from itertools import cycle, islice
from time import perf_counter_ns

_WORD = struct.Struct("<I").unpack_from
_LIMIT = 1 << 64


class Probe:
    """The jobs of a contender, and the commands that it answers besides."""

    def __init__(self):
        self._jobs = {}
        self._commands = {}

    def job(self, inputs, result):
        """The job of a case without sizes: `result` makes bytes of one of `inputs`."""
        self._jobs[None] = (inputs, result)

    def sized(self, size, inputs, result):
        """The job for one size of a swept case."""
        self._jobs[size] = (inputs, result)

    def only(self, size):
        """For a case that is one size of a sweep: its job remains, as the job without a size. None: all remain."""
        if size is not None:
            self._jobs = {None: job for own, job in self._jobs.items() if own == size}

    def command(self, name, answer):
        """A further command of one argument: from the word to bytes; any exception is answered as an error."""
        self._commands[name] = answer

    def serve(self):
        """Answers each line of standard input with one line on standard output, until the input ends."""
        for line in sys.stdin.buffer:
            text = line.decode("utf-8", "replace").removesuffix("\n")
            try:
                answer = "ok " + self._answer(text)
            except Exception as why:
                answer = "error " + " ".join(f"{type(why).__name__}: {why}".splitlines())
            sys.stdout.buffer.write(answer.encode() + b"\n")
            sys.stdout.buffer.flush()

    def _answer(self, line):
        verb, *words = line.split(" ")
        if verb == "run" and len(words) in (1, 2):
            return _run(_parse(words[0]), *self._find(words[1:]))
        if verb == "show" and len(words) in (1, 2):
            inputs, result = self._find(words[1:])
            return result(inputs[_parse(words[0])]).hex()
        if verb in self._commands and len(words) == 1:
            return self._commands[verb](words[0]).hex()
        raise ValueError(f"{line!r} is none of: run N [SIZE], show I [SIZE]")

    def _find(self, size):
        size = _parse(size[0]) if size else None
        if size not in self._jobs:
            raise ValueError(f"there is no job of size {size}")
        return self._jobs[size]


def _run(count, inputs, result):
    """The timed loop. The terms are linear, so their parts are added up and weighed once."""
    lengths = firsts = lasts = 0
    word = _WORD
    begin = perf_counter_ns()
    for value in islice(cycle(inputs), count):
        made = result(value)
        length = len(made)
        if length < 4:
            made += b"\0\0\0\0"[length:]
        lengths += length
        firsts += word(made)[0]
        lasts += word(made, -4)[0]
    sum = (lengths * 2654435761 + firsts * 2246822519 + lasts * 3266489917) % (1 << 32)
    return f"{perf_counter_ns() - begin} {sum}"


def number(value):
    """A result that is a number: its eight bytes, little endian."""
    return (value % _LIMIT).to_bytes(8, "little")


def _parse(word):
    if not (word.isascii() and word.isdecimal() and len(word) < 40 and int(word) < _LIMIT):
        raise ValueError(f"{word!r} is no number of 64 bits")
    return int(word)
