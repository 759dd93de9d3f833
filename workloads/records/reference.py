#!/usr/bin/env python3
"""Writes reference/: what every contender's results must be, from the generator and the format alone.

    python3 workloads/records/reference.py

It shares no code with any contender and uses no JSON library: README.md says the same in words.
"""

from pathlib import Path

SIZES = [1, 2, 5, 10, 15, 20, 25, 35, 50]
RECORDS = 64
MOST_FIELDS = 50
MASK = 2**64 - 1


def splitmix64(number, seed=1):
    """The output with that number, counted from 0, of Vigna's splitmix64."""
    z = (seed + (number + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def value(record, field):
    """The value of a field; both are counted from 0. One to nine digits, one in eight negative."""
    z = splitmix64(record * MOST_FIELDS + field)
    digits = 1 + z % 9
    least = 0 if digits == 1 else 10 ** (digits - 1)
    magnitude = least + (z >> 8) % (10**digits - least)
    return -magnitude if z >> 61 == 0 else magnitude


def encoded(record, size):
    """A record as JSON: its first fields in order, no blanks."""
    fields = [f'"field{field + 1:02}":{value(record, field)}' for field in range(size)]
    return ("{" + ",".join(fields) + "}").encode()


def main():
    """One file a size, a line a record; and the floor's, which is the first field as eight bytes."""
    folder = Path(__file__).resolve().parent / "reference"
    for size in SIZES:
        lines = [encoded(record, size).hex() for record in range(RECORDS)]
        (folder / f"fields-{size}.txt").write_text("\n".join(lines) + "\n")
    floor = [(value(record, 0) & MASK).to_bytes(8, "little").hex() for record in range(RECORDS)]
    (folder / "floor.txt").write_text("\n".join(floor) + "\n")


if __name__ == "__main__":
    main()
