"""main.py CASE ROLE: one case of the workload capnp on pycapnp."""

import os
import sys

sys.path[1:1] = [sys.path[0] + "/with/python", sys.path[0] + "/with/for-python"]

import inputs
from exchanges import EXCHANGES
from modes import FRAMINGS, Modes
from probe import Probe, number


def main():
    """Plays the role, until the input ends."""
    if len(sys.argv) != 3:
        sys.exit("usage: main.py CASE ROLE")
    job, _, mode = sys.argv[1].partition("-")
    framing = FRAMINGS["capnp-packed" if mode.endswith("packed") else "capnp"]
    modes = Modes(EXCHANGES[job], framing)
    if mode == "object":
        probe(modes, framing, modes.in_place)
    elif mode.startswith("bytes"):
        probe(modes, framing, modes.in_bytes)
    elif sys.argv[2] == "server":
        modes.serve(sys.stdin.buffer, sys.stdout.buffer)
    else:
        out, answers = open(os.environ["TARE_PIPE_OUT"], "wb"), open(os.environ["TARE_PIPE_IN"], "rb")
        probe(modes, framing, modes.client(out, answers))


def probe(modes, framing, once):
    """The probe protocol, and three commands for the check: which format, a request's bytes, somebody's answer."""
    kit = Probe()
    kit.job(list(range(inputs.KINDS)), lambda i: number(once(i)))
    kit.command("format", lambda _: framing.name.encode())
    kit.command("bytes", lambda i: framing.write(modes.ask(int(i))))
    kit.command("read", lambda hex: number(modes.read(bytes.fromhex(hex))))
    kit.serve()


if __name__ == "__main__":
    main()
