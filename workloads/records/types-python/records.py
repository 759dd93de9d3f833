"""The records of a case: their values, and how many fields they have."""

import sys

SIZES = [1, 2, 5, 10, 15, 20, 25, 35, 50]

# Records in a job, and fields of the largest record: those of smaller ones are its first.
RECORDS = 64
FIELDS = 50

_MASK = 2**64 - 1


def names(size):
    """The fields of a record of that size."""
    return [f"field{number:02}" for number in range(1, size + 1)]


def records(size):
    """The records of one size, as dicts."""
    return [
        {name: _value(record, field) for field, name in enumerate(names(size))} for record in range(RECORDS)
    ]


def size_of_case():
    """The size of the case that the process was started for: `25-fields` has one, the sweep `fields` has none."""
    size = sys.argv[1].split("-")[0] if sys.argv[1:] else ""
    return int(size) if size.isdecimal() else None


def _value(record, field):
    """The value of a field of a record, as the workload's page has it."""
    z = _splitmix64(record * FIELDS + field)
    power = 10 ** (z % 9)
    least = 0 if power == 1 else power
    magnitude = least + (z >> 8) % (power * 10 - least)
    return -magnitude if z >> 61 == 0 else magnitude


def _splitmix64(number):
    """The output with that number, counted from 0, of the generator seeded with 1."""
    z = 1 + (number + 1) * 0x9E3779B97F4A7C15 & _MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31
