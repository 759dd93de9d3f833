"""Records to JSON by the standard library."""

import json
import sys

sys.path[1:1] = [sys.path[0] + "/with/python", sys.path[0] + "/with/types-python"]
from probe import Probe
from records import SIZES, records, size_of_case

# One encoder for all: json.dumps makes a new one at every call that asks for other separators than its own.
encode = json.JSONEncoder(separators=(",", ":")).encode

probe = Probe()
for size in SIZES:
    probe.sized(size, records(size), lambda record: encode(record).encode())
probe.only(size_of_case())
probe.serve()
