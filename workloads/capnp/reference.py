#!/usr/bin/env python3
"""The answers of the three jobs, from the README's description alone: plain integers, no message, no library.

Writes reference/JOB.txt beside itself: line I is the answer to input I, eight bytes little endian, in hexadecimal.
With --check it writes nothing and exits with 1 where the files say otherwise.
"""

import pathlib
import struct
import sys

WORD = 0xFFFF_FFFF
INPUTS = 64
JOBS = {"carsales": 1, "catrank": 2, "eval": 3}


def mixed(h):
    h = (h ^ h >> 16) * 0x85EBCA6B & WORD
    h = (h ^ h >> 13) * 0xC2B2AE35 & WORD
    return h ^ h >> 16


class Draws:
    """xorshift128 on 32-bit words."""

    def __init__(self, job, number):
        first = 2014 * 65536 + 1024 * JOBS[job] + 4 * number
        self.state = [mixed(first + k) for k in range(4)]

    def next(self):
        x, *rest, w = self.state
        t = (x ^ x << 11) & WORD
        new = w ^ w >> 19 ^ t ^ t >> 8
        self.state = [*rest, w, new]
        return new

    def below(self, limit):
        return self.next() % limit


# Only the texts' lengths and last bytes matter to the answers.
MAKES = [len(x) for x in "Altair Bellatrix Capella Deneb Electra Fomalhaut Gemma Hadar".split()]
MODELS = [len(x) for x in "Kestrel,Lynx,Marten,Nightjar,Otter,Plover,Quail 3,Redstart GT".split(",")]
PHRASES = [
    "the brook ran on ", "a catkin fell ", "under dogma ", "two larks rose ",
    "moss grew ", "scatter the seed ", "by the pebble shore ", "reeds bent low ",
    "no bobcat, only rain ", "hotdog stands closed ", "fern and stone ", "the wind turned ",
    "nobody spoke ", "category of clouds ", "late light ", "an endogenous murmur ",
]


def carsales(draws):
    return sum(car(draws) for _ in range(1 + draws.below(200)))


def car(draws):
    value = 7 * MAKES[draws.below(8)]
    value += 3 * MODELS[draws.below(8)]
    value += 10 * draws.below(8)
    value += 200 * (2 + draws.below(6))
    value += 350 * (2 + draws.below(3))
    diameter = 14 + draws.below(9)
    flags = draws.next()
    snow, gas, electric, windows, steering, cruise, navigation = (flags >> bit & 1 for bit in range(7))
    value += sum(diameter**2 + 24 + draws.below(128) // 8 + 100 * snow for _ in range(4))
    value += (170 + draws.below(150)) * (48 + draws.below(36)) * (54 + draws.below(48)) // 50
    value += (800 + draws.below(4000)) // 4
    value += 40 * (50 + draws.below(450))
    value += 50 * (3 + draws.below(10))
    value += (800 + draws.below(10000)) // 10
    capacity = 64 + draws.below(256)  # in eighths
    value += capacity // 8
    value += 2 * (capacity * draws.below(257) // (8 * 256))
    value += electric * (5000 if gas else 3000)
    value += 100 * windows + 200 * steering + 400 * cruise + 2000 * navigation
    return value + 25 * draws.below(13)


def catrank(draws):
    count, factor, offset = 1 + draws.below(1000), 1 + draws.below(1008), draws.below(1009)
    ranked = []
    for j in range(count):
        url = "http://example.com/" + "".join(f"{draws.next():08x}" for _ in range(1 + draws.below(12)))
        shape = draws.next()
        cat, dog = (shape >> 9) & 7 == 0, (shape >> 12) & 7 == 0
        snippet = " " + phrases(draws, shape & 7)
        snippet += "cat " * cat + phrases(draws, shape >> 3 & 7)
        snippet += "dog " * dog + phrases(draws, shape >> 6 & 7)
        assert (" cat " in snippet, " dog " in snippet) == (cat, dog)
        score = (factor * j + offset) % 1009 + 10000 * cat - 10000 * dog
        ranked.append((score, 7 * len(url) + ord(url[-1]) + len(snippet)))
    ranked.sort(reverse=True)
    fold = 0
    for score, texts in ranked:
        fold = (31 * fold + score + texts) & WORD
    return fold


def phrases(draws, count):
    choices = draws.next()
    return "".join(PHRASES[choices >> 4 * k & 15] for k in range(count))


def evaluate(draws, depth=0):
    operation = draws.below(5)
    left, right = operand(draws, depth), operand(draws, depth)
    if operation < 3:
        return wrapped([left + right, left - right, left * right][operation])
    if right == 0:
        return 2**31 - 1
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return wrapped(quotient if operation == 3 else left - quotient * right)


def operand(draws, depth):
    if draws.below(8) < depth:
        return 1 + draws.below(128)
    return evaluate(draws, depth + 1)


def wrapped(value):
    return (value + 2**31) % 2**32 - 2**31


def lines(job):
    answer = {"carsales": carsales, "catrank": catrank, "eval": evaluate}[job]
    for number in range(INPUTS):
        yield struct.pack("<q", answer(Draws(job, number))).hex() + "\n"


def main():
    folder = pathlib.Path(__file__).parent / "reference"
    for job in JOBS:
        path, text = folder / f"{job}.txt", "".join(lines(job))
        if sys.argv[1:] == ["--check"]:
            if path.read_text() != text:
                sys.exit(f"{path} is not what this script makes")
        else:
            path.write_text(text)


if __name__ == "__main__":
    main()
