"""Records to JSON by msgspec, which knows their types."""

import sys

import msgspec

sys.path[1:1] = [sys.path[0] + "/with/python", sys.path[0] + "/with/types-python"]
from probe import Probe
from records import SIZES, names, records, size_of_case

encode = msgspec.json.Encoder().encode

probe = Probe()
for size in SIZES:
    Record = msgspec.defstruct(f"Fields{size}", [(name, int) for name in names(size)])
    inputs = [Record(**record) for record in records(size)]
    probe.sized(size, inputs, encode)
probe.only(size_of_case())
probe.serve()
