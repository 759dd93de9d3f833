"""Messages that nobody should trust, of the formats that are parsed into objects: Protocol Buffers, postcard, JSON.

A part of hostile.py, which writes them. Each is offered in all jobs, so a few are right in one of them.
"""

import json
import struct

NAN, INFINITY = float("nan"), float("inf")


def varint(value):
    """A number in groups of seven bits, the least first; all but the last have the highest bit."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


# How a message of Protocol Buffers lies in bytes: fields, in any order, each behind its number times 8 and its kind, a
# varint together:
#
#   kind 0   a varint             kind 1   8 bytes            kind 5   4 bytes
#   kind 2   a length (a varint) and as many bytes: a text, a message
#   kind 3   a group: fields up to kind 4 of the same number; nobody has written one for long, all must know them
#
# A ParkingLot's field 1 is a Car, SearchResults' field 1 a SearchResult, an Expression's fields 3 and 5 are
# Expressions.


def field(number, kind, data=b""):
    return varint(number << 3 | kind) + data


def piece(number, data, length=None):
    return field(number, 2, varint(len(data) if length is None else length) + data)


def result(url, score, snippet):
    return piece(1, piece(1, url) + field(2, 1, struct.pack("<d", score)) + piece(3, snippet))


def results(*scores, times=1):
    return b"".join(result(b"u", score, b" cat ") for score in scores) * times


def car(*fields):
    return piece(1, piece(1, b"make") + piece(2, b"model") + b"".join(fields))


def wheel(pressure):
    return piece(6, field(1, 0, varint(16)) + field(2, 5, struct.pack("<f", pressure)))


def pushed(levels, number=3):
    """Expressions in each other, from the inside out; lengths are what makes that long to write."""
    inner = field(1, 0, varint(0))
    for _ in range(levels):
        inner = field(1, 0, varint(0)) + piece(number, inner)
    return inner


SO_MANY = (1 << 64) - 1

PROTOBUF = {
    "empty": ("no byte at all: a message in which nothing is said", b""),
    "tag-cut-short": ("a field's number, and not all of it", bytes([0x80])),
    "tag-without-an-end": ("a field's number of eleven bytes, and more", bytes([0x80] * 11)),
    "field-zero": ("a field of number 0, which no field has", bytes([0, 0])),
    "kind-seven": ("a field of a kind that there is not", field(1, 7)),
    "number-cut-short": ("a number whose last byte is missing", field(1, 0, bytes([0xFF] * 5))),
    "number-without-an-end": ("a number of eleven bytes, and more", field(1, 0, bytes([0xFF] * 11))),
    "numbers-beyond-their-kind": (
        "a car all of whose numbers are 2^64 - 1, where 32 bits are meant",
        car(*[field(number, 0, varint(SO_MANY)) for number in (3, 4, 5, 7, 8, 9, 10, 14, 15, 16, 17, 18)]),
    ),
    "operation-that-there-is-not": (
        "an expression whose operation is 2^32 - 1",
        field(1, 0, varint((1 << 32) - 1)) + field(2, 0, varint(1)) + field(4, 0, varint(0)),
    ),
    "cut-short": ("a car, one byte less than it says", car(wheel(32.0))[:-1]),
    "element-longer-than-the-message": ("an element of 1000 bytes, of which four are there", piece(1, b"aaaa", 1000)),
    "text-longer-than-its-element": (
        "a text of 1000 bytes in an element of eight, with bytes enough behind it",
        piece(1, piece(1, b"aaaaa", 1000)) + bytes([0x7A, 127]) + b"a" * 127,
    ),
    "length-of-2-to-the-31": ("an element of 2^31 bytes, a negative number of 32 bits", piece(1, b"aaaa", 1 << 31)),
    "length-of-2-to-the-32": ("an element of 2^32 bytes: none modulo 2^32", piece(1, b"aaaa", 1 << 32)),
    "length-of-2-to-the-64": ("an element of 2^64 - 1 bytes", piece(1, b"aaaa", SO_MANY)),
    "text-not-utf-8": ("texts of bytes that no letter has", result(b"\xff\xfe", 1.0, b"\xc0\x80 cat ")),
    "text-half-a-letter": ("texts that end within a letter", result(b"\xe2\x82", 1.0, b" dog \xf0\x9f\x98")),
    "text-of-surrogates": ("texts of halves of UTF-16 pairs", result(b"\xed\xa0\x80", 1.0, b"\xed\xbf\xbf cat ")),
    "group-without-an-end": ("a group that does not end", field(1, 3)),
    "end-of-no-group": ("the end of a group that did not begin", field(1, 4)),
    "groups-in-groups": ("20,000 groups in each other", field(15, 3) * 20_000),
    "groups-closed-crosswise": ("two groups that end in the wrong order", field(14, 3) + field(15, 3) + field(14, 4)),
    "scores-that-are-no-numbers": (
        "400 results, of which every second has a score that is no number",
        results(NAN, 1.0, NAN, 2.0, times=100),
    ),
    "scores-without-an-end": ("results with the largest scores that there are", results(INFINITY, -INFINITY, 1e308)),
    "pressures-beyond-numbers": (
        "a car whose wheels have no number for a pressure, or more than any whole one",
        car(wheel(NAN), wheel(INFINITY), wheel(-INFINITY), wheel(3e38), field(12, 5, struct.pack("<f", -3e38))),
    ),
    "deep-expressions": ("5000 expressions in each other", pushed(5000)),
    "a-hundred-and-one-expressions": ("101 expressions in each other: the library reads 100", pushed(101, number=5)),
    "many-empty-elements": ("20,000 elements of no bytes: much to make of little", piece(1, b"") * 20_000),
    "unknown-fields": ("10,000 fields that the schema does not have", field(2000, 0, varint(1)) * 10_000),
    "the-same-field-again": ("an engine 10,000 times over: each is merged into the last", car(piece(11, b"") * 10_000)),
}

# How a message of postcard lies in bytes: fields one behind the other, without names or kinds.
#
#   u8, bool   a byte                    u16, u32   a varint         i32   zigzag, a varint
#   f32, f64   4 and 8 bytes             text, list: how many (a varint), and these
#   a side     0 and an i32, or 1 and an expression


def said(data):
    return varint(len(data)) + data


def post_results(*scores, url=b"u", snippet=b" cat "):
    one = [said(url) + struct.pack("<d", score) + said(snippet) for score in scores]
    return varint(len(one)) + b"".join(one)


def post_car(pressure=32.0, truth=1, wheels=1):
    rolls = varint(wheels) + (varint(16) + struct.pack("<f", pressure) + bytes([truth]))
    engine = varint(100) + bytes([4]) + varint(2000) + bytes([1, truth])
    sizes = b"".join(varint(size) for size in (200, 60, 55, 2000))
    rest = struct.pack("<ff", pressure, pressure) + bytes([truth, 0, 1, 3, 0])
    return said(b"make") + said(b"model") + varint(3) + bytes([4, 5]) + rolls + sizes + engine + rest


POSTCARD = {
    "empty": ("no byte at all", b""),
    "count-cut-short": ("how many elements there are, and not all of it", bytes([0x80])),
    "count-without-an-end": ("a number of elements of eleven bytes, and more", bytes([0xFF] * 11)),
    "longest-list": ("a list of 2^64 - 1 elements, of which none is there", varint(SO_MANY)),
    "list-of-2-to-the-32": ("a list of 2^32 elements, of which one is there", varint(1 << 32) + post_car()),
    "list-of-a-million": ("a list of a million elements, of which one is there", varint(1_000_000) + post_car()),
    "wheels-of-2-to-the-63": ("a car of 2^63 wheels", varint(1) + post_car(wheels=1 << 63)),
    "cut-short": ("a car, one byte less than it is", (varint(1) + post_car())[:-1]),
    "a-byte-too-many": ("a car, and a byte behind it", varint(1) + post_car() + b"\0"),
    "text-out-of-bounds": ("a text of 1000 bytes, of which four are there", varint(1) + varint(1000) + b"aaaa"),
    "text-of-2-to-the-63": ("a text of 2^63 bytes", varint(1) + varint(1 << 63) + b"aaaa"),
    "text-not-utf-8": ("texts of bytes that no letter has", post_results(1.0, url=b"\xff\xfe", snippet=b"\xc0\x80")),
    "text-half-a-letter": ("texts that end within a letter", post_results(1.0, url=b"\xe2\x82", snippet=b"\xf0\x9f")),
    "truth-of-two": ("a car with truths that are neither true nor false", varint(1) + post_car(truth=2)),
    "number-of-17-bits": ("an operation of 65,536, where 16 bits are meant", varint(65_536) + bytes([0, 2, 0, 2])),
    "side-of-unknown-kind": ("an expression whose side is of a kind that there is not", bytes([0, 9, 2, 0, 2])),
    "number-beyond-32-bits": ("an expression of a number of 64 bits", bytes([0, 0]) + varint(SO_MANY) + bytes([0, 2])),
    "scores-that-are-no-numbers": (
        "400 results, of which every second has a score that is no number",
        post_results(*[NAN, 1.0, NAN, 2.0] * 100),
    ),
    "pressures-beyond-numbers": ("a car whose fractions are no numbers", varint(1) + post_car(pressure=NAN)),
    "deep-expressions": ("5000 expressions in each other", bytes([0, 1]) * 5000),
    "deeper-expressions": ("60,000 expressions in each other, in 120 KB", bytes([0, 1]) * 60_000),
    "deep-and-whole": (
        "65 expressions in each other, all there",
        bytes([0, 1]) * 64 + bytes([0, 0, 2, 0, 2]) + bytes([0, 2]) * 64,
    ),
}


def of_results(**fields):
    return json.dumps({"results": [{"url": "u", "score": 1, "snippet": " cat "} | fields]}).encode()


def of_car(**fields):
    whole = {
        "make": "make", "model": "model", "color": 3, "seats": 4, "doors": 5,
        "wheels": [{"diameter": 16, "pressure": 32, "snowTires": True}],
        "length": 200, "width": 60, "height": 55, "weight": 2000,
        "engine": {"horsepower": 100, "cylinders": 4, "cc": 2000, "usesGas": True, "usesElectric": False},
        "fuelCapacity": 50, "fuelLevel": 25, "powerWindows": True, "powerSteering": False, "cruiseControl": True,
        "cupHolders": 3, "navSystem": False,
    }  # fmt: skip
    return json.dumps({"cars": [whole | fields]}).encode()


def expressions(levels):
    number = '{"value":1}'
    return ('{"operation":0,"left":{"expression":' * levels + f'{{"operation":0,"left":{number},"right":{number}}}'
            + f'}},"right":{number}}}' * levels).encode()


JSON = {
    "empty": ("no byte at all", b""),
    "no-json": ("bytes that no text begins with", bytes(range(32))),
    "half-a-word": ("a word that ends too early", b'{"cars":[tru'),
    "cut-short": ("a car, one byte less than it is", of_car()[:-1]),
    "two-messages": ("a message behind the message", of_car() + b" " + of_car()),
    "text-not-utf-8": ("texts of bytes that no letter has", of_results(url="URL").replace(b"URL", b"\xff\xfe\xc0\x80")),
    "text-half-a-letter": ("a text that ends within a letter", of_results(url="URL").replace(b"URL", b"\xe2\x82")),
    "lone-surrogate": ("half of a UTF-16 pair", of_results(url="URL").replace(b"URL", b"\\ud800")),
    "control-in-a-text": ("a line end within a text", of_results(url="URL").replace(b"URL", b"a\nb")),
    "number-beyond-all": ("a score of 10^400", of_results(score=7).replace(b"7", b"1e400")),
    "number-of-10000-digits": ("a score of 10,000 digits", of_results(score=7).replace(b"7", b"7" * 10_000)),
    "numbers-beyond-their-kind": ("a car with numbers as large as JSON has any", of_car(color=10**300, weight=2**64)),
    "negative-numbers": ("a car whose numbers are below zero", of_car(seats=-1, length=-(2**31))),
    "fractions": ("a car with one and a half doors", of_car(doors=1.5, cupHolders=0.1)),
    "score-that-is-null": ("a score that is no number", of_results(score=None)),
    "operation-that-there-is-not": (
        "an expression whose operation is 65,535",
        b'{"operation":65535,"left":{"value":1},"right":{"value":0}}',
    ),
    "sides-that-are-missing": ("an expression without sides", b'{"operation":0}'),
    "side-of-both-kinds": (
        "a side that is a number and an expression",
        b'{"operation":0,"left":{"value":1,"expression":{"operation":0}},"right":{"value":1}}',
    ),
    "fields-that-are-missing": ("a car and a result without any field", b'{"cars":[{}],"results":[{}]}'),
    "nulls": ("nulls where lists' elements must be", b'{"cars":[null],"results":[null],"operation":null}'),
    "other-kinds": ("texts and numbers where lists and objects must be", b'{"cars":"cars","results":7,"left":[]}'),
    "lengths-that-lie": (
        "objects that say how long they are, where lists and texts must be",
        b'{"cars":{"length":4294967295},"results":{"length":4294967295},'
        b'"left":{"value":{"length":1e9}},"right":{"value":{"length":1e9}}}',
    ),
    "fields-again": ("fields that come twice", of_car()[:-1] + b',"cars":[]}'),
    "prototype": ("a field named as what JavaScript's objects inherit from", b'{"__proto__":{"cars":[],"results":[]}}'),
    "many-empty-elements": ("10,000 objects without fields", b'{"cars":[' + b"{}," * 10_000 + b"{}]}"),
    "deep-lists": ("40,000 lists in each other, and no end of any", b"[" * 40_000),
    "deep-lists-in-a-field": ("10,000 lists in each other in a field that nobody knows",
                              b'{"other":' + b"[" * 10_000 + b"]" * 10_000 + b',"cars":[],"results":[]}'),
    "deep-objects": ("8000 objects in each other, and no end of any", b'{"a":' * 8000),
    "deep-expressions": ("1000 expressions in each other", expressions(1000)),
}  # fmt: skip
