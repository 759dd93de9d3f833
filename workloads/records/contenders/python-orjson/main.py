"""Records to JSON by orjson."""

import sys

import orjson

sys.path[1:1] = [sys.path[0] + "/with/python", sys.path[0] + "/with/types-python"]
from probe import Probe
from records import SIZES, records, size_of_case

probe = Probe()
for size in SIZES:
    probe.sized(size, records(size), orjson.dumps)
probe.only(size_of_case())
probe.serve()
