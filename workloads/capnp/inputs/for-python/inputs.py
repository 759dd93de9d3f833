"""What goes into the messages of the workload capnp: the stated generator, and plain values made from it.

The README beside workload.toml says which number is drawn when; every language has this file in its own words.
"""

KINDS = 64
CARSALES, CATRANK, EVAL = 1, 2, 3

_WORD = 0xFFFF_FFFF


def _mix(h):
    """The finaliser of MurmurHash3."""
    h = (h ^ h >> 16) * 0x85EBCA6B & _WORD
    h = (h ^ h >> 13) * 0xC2B2AE35 & _WORD
    return h ^ h >> 16


def random(job, number):
    """A function that draws numbers of 32 bits by Marsaglia's xorshift128."""
    first = 2014 * 65536 + 1024 * job + 4 * number
    x, y, z, w = (_mix(first + k) for k in range(4))

    def draw():
        nonlocal x, y, z, w
        t = (x ^ x << 11) & _WORD
        x, y, z, w = y, z, w, w ^ w >> 19 ^ t ^ t >> 8
        return w

    return draw


_MAKES = ["Altair", "Bellatrix", "Capella", "Deneb", "Electra", "Fomalhaut", "Gemma", "Hadar"]
_MODELS = ["Kestrel", "Lynx", "Marten", "Nightjar", "Otter", "Plover", "Quail 3", "Redstart GT"]


class Car:
    """One car, before it is in any message."""

    __slots__ = (
        "make", "model", "color", "seats", "doors", "diameter", "snow_tires", "uses_gas", "uses_electric",
        "power_windows", "power_steering", "cruise_control", "nav_system", "pressure", "length", "width", "height",
        "weight", "horsepower", "cylinders", "cc", "fuel_capacity", "fuel_level", "cup_holders",
    )  # fmt: skip

    def __init__(self, draw):
        self.make = _MAKES[draw() % 8]
        self.model = _MODELS[draw() % 8]
        self.color = draw() % 8
        self.seats = 2 + draw() % 6
        self.doors = 2 + draw() % 3
        self.diameter = 14 + draw() % 9
        flags = draw()
        self.snow_tires = flags & 1 != 0
        self.uses_gas = flags & 2 != 0
        self.uses_electric = flags & 4 != 0
        self.power_windows = flags & 8 != 0
        self.power_steering = flags & 16 != 0
        self.cruise_control = flags & 32 != 0
        self.nav_system = flags & 64 != 0
        self.pressure = [24 + draw() % 128 / 8 for _ in range(4)]
        self.length = 170 + draw() % 150
        self.width = 48 + draw() % 36
        self.height = 54 + draw() % 48
        self.weight = 800 + draw() % 4000
        self.horsepower = 50 + draw() % 450
        self.cylinders = 3 + draw() % 10
        self.cc = 800 + draw() % 10000
        self.fuel_capacity = 8 + draw() % 256 / 8
        self.fuel_level = self.fuel_capacity * (draw() % 257 / 256)
        self.cup_holders = draw() % 13


def car_count(draw):
    """How many cars there are in the input that begins here."""
    return 1 + draw() % 200


_PHRASES = [
    "the brook ran on ", "a catkin fell ", "under dogma ", "two larks rose ",
    "moss grew ", "scatter the seed ", "by the pebble shore ", "reeds bent low ",
    "no bobcat, only rain ", "hotdog stands closed ", "fern and stone ", "the wind turned ",
    "nobody spoke ", "category of clouds ", "late light ", "an endogenous murmur ",
]  # fmt: skip


def hits(draw):
    """How many search results there are, and each: url, score, snippet."""
    count, factor, offset = 1 + draw() % 1000, 1 + draw() % 1008, draw() % 1009
    return count, (_hit(draw, (factor * number + offset) % 1009) for number in range(count))


def _hit(draw, score):
    url = "http://example.com/" + "".join([f"{draw():08x}" for _ in range(1 + draw() % 12)])
    shape = draw()
    words = [" ", _phrases(draw(), shape & 7)]
    if shape >> 9 & 7 == 0:
        words.append("cat ")
    words.append(_phrases(draw(), shape >> 3 & 7))
    if shape >> 12 & 7 == 0:
        words.append("dog ")
    words.append(_phrases(draw(), shape >> 6 & 7))
    return url, float(score), "".join(words)


def _phrases(choices, count):
    return "".join([_PHRASES[choices >> 4 * k & 15] for k in range(count)])


def operation(draw):
    """What an expression does."""
    return draw() % 5


def is_leaf(draw, depth):
    """Whether one side of an expression is a number."""
    return draw() % 8 < depth


def number(draw):
    """Such a number."""
    return 1 + draw() % 128


def apply(operation, left, right):
    """Numbers wrap at 32 bits; dividing by zero gives the largest one."""
    if operation == 0:
        return _wrapped(left + right)
    if operation == 1:
        return _wrapped(left - right)
    if operation == 2:
        return _wrapped(left * right)
    if right == 0:
        return 0x7FFF_FFFF
    # Python rounds down; the job rounds towards zero.
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return _wrapped(quotient) if operation == 3 else left - quotient * right


def _wrapped(value):
    return (value + 0x8000_0000 & _WORD) - 0x8000_0000
