"""One job without a size, two with, and a command: what every kit's example does."""

import sys

sys.path.insert(1, sys.path[0] + "/with/python")
from probe import Probe, number

probe = Probe()
probe.job([i * 7919 for i in range(64)], lambda value: b"%d" % value)
probe.sized(1, range(7), lambda i: bytes([97 + i]) * i)
probe.sized(8, range(7), lambda i: number(i - 1))
probe.command("twice", lambda word: bytes.fromhex(word) * 2)
probe.only(int(sys.argv[1]) if sys.argv[1:] else None)
probe.serve()
