"""Records to JSON by hand."""

import sys

sys.path[1:1] = [sys.path[0] + "/with/python", sys.path[0] + "/with/types-python"]
from encode import ENCODE
from probe import Probe
from records import SIZES, records, size_of_case

probe = Probe()
for size in SIZES:
    probe.sized(size, records(size), ENCODE[size])
probe.only(size_of_case())
probe.serve()
