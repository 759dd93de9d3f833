#!/usr/bin/env python3
"""Makes reference/boundary-SIZE.txt: for each input i of the case `boundary` the alphabet from its letter i on.

Byte k of the result of input i is 'a' + ((i + k) mod 26). A result of more than 4096 bytes stands as its length in
decimal, its first and last four bytes as little endian numbers, and its 64-bit FNV-1a hash, these in hexadecimal.
Run without arguments; it writes beside itself.
"""
from pathlib import Path

SIZES = [13, 64, 256, 1024, 4096, 16384, 65536]
INPUTS = 26
LONGEST_WHOLE = 4096


def result(start, size):
    return bytes(ord("a") + (start + k) % 26 for k in range(size))


def fnv1a64(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def line(data):
    if len(data) <= LONGEST_WHOLE:
        return data.hex()
    first, last = (int.from_bytes(end, "little") for end in (data[:4], data[-4:]))
    return f"{len(data)} {first:08x} {last:08x} {fnv1a64(data):016x}"


def main():
    folder = Path(__file__).parent / "reference"
    folder.mkdir(exist_ok=True)
    for size in SIZES:
        lines = "".join(line(result(start, size)) + "\n" for start in range(INPUTS))
        (folder / f"boundary-{size}.txt").write_text(lines)


main()
