#!/usr/bin/env python3
"""Messages that nobody should trust, by hand: each is offered to every contender, which must refuse or bound it.

Writes hostile/FORMAT/NAME.hex beside itself; those of formats that are parsed are in hostile_parsed.py. With --check it writes nothing and exits with 1 where the files differ.
"""

import pathlib
import struct
import sys

import hostile_parsed

# How a message of Cap'n Proto lies in bytes (all numbers little endian, all offsets in words of 8 bytes):
#
#   a table     u32: the number of segments less one; u32 for each: its words; up to a whole word
#   segments    words; the first word of the first is the root's pointer
#   a struct    pointer: 2 bits 0, 30 bits: from behind the pointer to it; u16 its data's words, u16 its pointers
#   a list      pointer: 2 bits 1, 30 bits: likewise; 3 bits: what of (0 nothing, 1 bits, 2 bytes, 6 pointers,
#               7 structs), 29 bits: how many, or of structs how many words, behind a tag that is like a struct's
#               pointer and has their number for the offset
#   far away    2 bits 2, 1 bit: whether double, 29 bits: the word, u32: the segment, of a landing pad: the true
#               pointer; where double, a far pointer to the start of it, and a tag
#   a text      a list of bytes, the last zero
#   packed      a byte whose bits say which bytes of a word are not zero, then these; behind 0: how many more words of
#               zeros follow; behind 255 and the word: how many more words follow as they are


def words(*values):
    return b"".join(struct.pack("<Q", value) for value in values)


def framed(*segments):
    sizes = [len(segment) // 8 for segment in segments]
    table = struct.pack(f"<I{len(sizes)}I", len(sizes) - 1, *sizes)
    return table + bytes(-len(table) % 8) + b"".join(segments)


def struct_to(offset, data, pointers):
    return (offset << 2) & 0xFFFF_FFFF | data << 32 | pointers << 48


def list_to(offset, kind, count):
    return (offset << 2) & 0xFFFF_FFFF | 1 | kind << 32 | count << 35


def far_to(segment, word, double=False):
    return 2 | double << 2 | word << 3 | segment << 32


def tag(count, data, pointers):
    return count << 2 | data << 32 | pointers << 48


# A root with one pointer and nothing else: a ParkingLot, or SearchResults.
ROOT = struct_to(0, 0, 1)

# An Expression whose sides are both itself; the word in front of it points to it.
SELF = (1 << 16, 1 << 32, struct_to(-3, 2, 2), struct_to(-4, 2, 2))

# 2200 search results whose texts are all the same one of 32 KiB: over 64 MiB to read, twice, in a message of 84 KiB.
SHARED = 2200
SHARED_TEXT = b"a" * 32767 + b"\0"


def shared():
    head = words(ROOT, list_to(0, 7, 3 * SHARED), tag(SHARED, 1, 2))
    results = b""
    for number in range(SHARED):
        left = 3 * (SHARED - number - 1)
        results += words(0, list_to(left + 1, 2, len(SHARED_TEXT)), list_to(left, 2, len(SHARED_TEXT)))
    return framed(head + results + SHARED_TEXT)


def scored(*scores):
    """Search results with these scores and without texts."""
    body = b"".join(struct.pack("<dQQ", score, 0, 0) for score in scores)
    return framed(words(ROOT, list_to(0, 7, 3 * len(scores)), tag(len(scores), 1, 2)) + body)


def car(to_wheels):
    """A Car's words: three of data, and pointers to its make, model, wheels and engine."""
    return words(0, 0, 0, 0, 0, to_wheels, 0)


def shared_list():
    """A lot of 1000 cars that all have the same 90 wheels of 100 words: many words, and not so many wheels that a slow
    language takes long."""
    cars, wheels, size = 1000, 90, 100
    head = words(ROOT, list_to(0, 7, 7 * cars), tag(cars, 3, 4))
    body = b"".join(car(list_to(7 * (cars - number) - 6, 7, wheels * size)) for number in range(cars))
    return framed(head + body + words(tag(wheels, size, 0)) + bytes(8 * wheels * size))


LETTERS = int.from_bytes(b"a" * 8, "little")
MOST = (1 << 29) - 1  # elements of a list, or words: the count has 29 bits

# What each is, and its bytes.
MESSAGES = {
    "empty": ("no byte at all", b""),
    "half-a-table": ("the number of segments, and not how long the one is", bytes(4)),
    "no-table-behind-its-number": (
        "of two segments, only how long the first is",
        framed(words(ROOT), words(0))[:8],
    ),
    "no-root": ("one segment of no words, so that there is no root", framed(b"")),
    "truncated": (
        "one word less than the table says",
        framed(words(ROOT, list_to(0, 7, 7), tag(1, 3, 4), 0, 0, 0, 0, 0, 0, 0))[:-8],
    ),
    "no-segment": ("a table, and none of the 16 words that it says", framed(bytes(128))[:8]),
    "too-many-segments": ("2^32 segments", struct.pack("<II", 0xFFFF_FFFF, 1) + words(0)),
    "more-segments-than-512": (
        "513 segments, all there: the C++ library reads 512",
        framed(words(ROOT, 0), *[b""] * 512),
    ),
    "oversized-segment": (
        "a segment of 2^32 - 1 words, of which one is there",
        struct.pack("<II", 0, 0xFFFF_FFFF) + words(ROOT),
    ),
    "segment-of-2-to-the-31": (
        "a segment of 2^31 words, a negative number of 32 bits",
        struct.pack("<II", 0, 1 << 31) + words(ROOT),
    ),
    "segment-of-two-gibibytes": (
        "a segment of 2^28 words, of which one is there",
        struct.pack("<II", 0, 1 << 28) + words(ROOT),
    ),
    "segments-that-overflow": (
        "three segments whose lengths sum up to 0 words modulo 2^32",
        struct.pack("<4I", 2, 0xFFFF_FFFF, 0xFFFF_FFFF, 2) + words(ROOT, 0),
    ),
    "root-out-of-bounds": ("a root 1000 words behind the end", framed(words(struct_to(1000, 2, 2)))),
    "root-before-the-start": ("a root 1000 words before the start", framed(words(struct_to(-1000, 2, 2)))),
    "root-half-out": ("a root whose last word is behind the end", framed(words(struct_to(0, 2, 2), 0, 0, 0))),
    "root-is-a-list": ("a list where a struct must be", framed(words(list_to(0, 7, 0), tag(0, 0, 0)))),
    "root-is-a-capability": ("a capability where a struct must be", framed(words(3))),
    "cyclic": ("an Expression whose two sides are both itself", framed(words(struct_to(0, 2, 2), *SELF))),
    "list-in-itself": (
        "a lot whose car has as its wheels the list that it is in",
        framed(words(ROOT, list_to(0, 7, 7), tag(1, 3, 4)) + car(list_to(-7, 7, 7))),
    ),
    "list-out-of-bounds": (
        "a list of 1000 words, of which one is there",
        framed(words(ROOT, list_to(0, 7, 1000), tag(125, 4, 4))),
    ),
    "longest-list-of-structs": (
        "a list of 2^29 - 1 words, of which none is there",
        framed(words(ROOT, list_to(0, 7, MOST))),
    ),
    "longest-list-of-pointers": (
        "a list of 2^29 - 1 pointers, of which none is there",
        framed(words(ROOT, list_to(0, 6, MOST))),
    ),
    "list-longer-than-it-says": (
        "8 words, and a tag that says 1000 structs of 8 words",
        framed(words(ROOT, list_to(0, 7, 8), tag(1000, 4, 4), *[0] * 8)),
    ),
    "list-of-nothings": (
        "2^29 - 1 structs of no words: much to read in no bytes",
        framed(words(ROOT, list_to(0, 7, 0), tag(MOST, 0, 0))),
    ),
    "list-of-voids": (
        "2^29 - 1 elements of no bits: much to read in no bytes",
        framed(words(ROOT, list_to(0, 0, MOST))),
    ),
    "list-whose-tag-is-a-list": (
        "a list of structs whose tag is a pointer to a list",
        framed(words(ROOT, list_to(0, 7, 7), list_to(1, 3, 4), *[0] * 7)),
    ),
    "list-of-bits": (
        "64 bits where structs must be",
        framed(words(ROOT, list_to(0, 1, 64), 0xFFFF_FFFF_FFFF_FFFF)),
    ),
    "far-to-no-segment": ("a far pointer to segment 7 of one", framed(words(far_to(7, 0)))),
    "far-out-of-bounds": ("a far pointer to the word 1000 of one", framed(words(far_to(1, 1000)), words(0))),
    "far-to-itself": ("a far pointer whose landing pad is itself", framed(words(far_to(0, 0)))),
    "far-to-far": (
        "a far pointer whose landing pad is one to itself",
        framed(words(far_to(1, 0)), words(far_to(1, 0))),
    ),
    "double-far-to-no-far": (
        "a double-far pointer whose landing pad begins with a struct's",
        framed(words(far_to(1, 0, True)), words(struct_to(0, 2, 2), 0)),
    ),
    "double-far-to-itself": (
        "a double-far pointer whose landing pad begins with one to itself",
        framed(words(far_to(1, 0, True)), words(far_to(1, 0, True), struct_to(0, 2, 2))),
    ),
    "text-out-of-bounds": (
        "texts of 80 bytes, of which eight are there",
        framed(words(ROOT, list_to(0, 7, 3), tag(1, 1, 2), 0, list_to(0, 2, 80), list_to(0, 2, 80))),
    ),
    "text-without-its-zero": (
        "texts whose last byte is no zero",
        framed(words(ROOT, list_to(0, 7, 3), tag(1, 1, 2), 0, list_to(1, 2, 8), list_to(0, 2, 8), LETTERS)),
    ),
    "text-of-no-bytes": (
        "texts of no bytes: not even the zero",
        framed(words(ROOT, list_to(0, 7, 3), tag(1, 1, 2), 0, list_to(0, 2, 0), list_to(0, 2, 0))),
    ),
    "text-that-is-a-struct": (
        "structs where texts must be",
        framed(words(ROOT, list_to(0, 7, 3), tag(1, 1, 2), 0, struct_to(1, 1, 0), struct_to(0, 1, 0), 0)),
    ),
    "scores-that-are-no-numbers": (
        "400 results, of which every second has a score that is no number",
        scored(*[float("nan"), 1.0, float("nan"), 2.0] * 100),
    ),
    "shared-text": ("2200 results whose texts are all the same 32 KiB: 144 MB to read", shared()),
    "shared-list": ("1000 cars that all have the same 90 wheels of 100 words: 72 MB to read", shared_list()),
}


def packed(data):
    """Packs word by word, without longer runs; data is whole words."""
    out = bytearray()
    for at in range(0, len(data), 8):
        word = data[at : at + 8]
        out.append(sum(1 << bit for bit in range(8) if word[bit]))
        out += bytes(byte for byte in word if byte)
        if out[-1 - 8 * all(word)] in (0, 255) and (not any(word) or all(word)):
            out.append(0)
    return bytes(out)


# Words of a message: as many as libraries read, or one less.
EIGHT_MILLION = (1 << 23) - 1

PACKED = {name: (says, packed(data)) for name, (says, data) in MESSAGES.items() if len(data) % 8 == 0} | {
    "tag-without-bytes": ("a tag that says four bytes, and none of them", bytes([0b1111])),
    "tag-cut-short": (
        "a tag that says four bytes, and two of them",
        packed(words(1 << 32)) + bytes([0b1111, 1, 1]),
    ),
    "zeros-without-a-count": ("a word of zeros, and not how many more follow", bytes([0])),
    "zeros-beyond-the-message": (
        "201 words of zeros in a message of one",
        packed(words(1 << 32)) + bytes([0, 200]),
    ),
    "zeros-without-an-end": (
        "16 million words of zeros in a message of one",
        packed(words(1 << 32)) + bytes([0, 255]) * (1 << 16),
    ),
    "zeros-by-the-million": (
        "64 MiB of zeros in 64 KiB, as its table says",
        packed(words(EIGHT_MILLION << 32)) + bytes([0, 255]) * (EIGHT_MILLION // 256) + bytes([0, 254]),
    ),
    "raw-words-that-are-missing": (
        "250 words as they are, and none of them",
        packed(words(1 << 32)) + bytes([255]) + bytes(8) + bytes([250]),
    ),
}

# How a message of FlatBuffers lies in bytes (all numbers little endian; an offset leads forward from where it stands):
#
#   u32         the root's offset
#   a table     i32: how far before it its vtable is; its fields, anywhere; what is no number is an offset
#   a vtable    u16: its own bytes, u16: the table's, u16 for each field: where in the table, 0 where absent
#   a list      u32: how many; of tables an offset each
#   a text      u32: its bytes; these, and a zero behind them


def halves(*values):
    """Numbers of 16 bits, up to a whole one of 32."""
    return struct.pack(f"<{len(values)}H", *values) + bytes(2 * (len(values) % 2))


def flat(*values):
    return struct.pack(f"<{len(values)}I", *values)


# A root with one field, an offset that is to follow: a ParkingLot, or SearchResults.
FLAT_ROOT = flat(12) + halves(6, 8, 4) + flat(8)


def found(count, text, length, *scores):
    """So many search results (an even number), which are a few again and again, and whose texts are all the same."""
    offsets, tables = [], b""
    for number in range(count):
        offsets.append(16 + 4 * (count - number) + 24 * (number % len(scores)))
    for number, score in enumerate(scores):
        left = 24 * (len(scores) - number - 1)
        tables += flat(16 + 24 * number, left + 20, left + 16, 0) + struct.pack("<d", score)
    vtable = halves(10, 24, 4, 16, 8) + flat(0)
    return FLAT_ROOT + flat(4, count, *offsets) + vtable + tables + flat(length) + text


def nested(levels, kind=2):
    """Expressions in each other, both sides of each the same next one; those of the last are both one number, but for
    what kind the outermost one says."""
    vtable = halves(14, 16, 12, 13, 4, 14, 8)
    tables = b"".join(
        flat(16 + 16 * level, 12, 8, (kind if level == 0 else 1 if level == levels - 1 else 2) * 0x0001_0100)
        for level in range(levels)
    )
    return flat(20) + vtable + tables + flat(7)


FLAT = {
    "empty": ("no byte at all", b""),
    "half-a-root": ("half of the root's offset", bytes(2)),
    "root-out-of-bounds": ("a root 1000 bytes behind the end", flat(1000, 0)),
    "root-at-the-very-end": ("a root that begins in the last byte", flat(7, 0)),
    "root-is-itself": ("a root that is its own offset", flat(0, 0)),
    "root-before-the-start": ("a root 16 bytes before the start, if offsets had signs", flat(0xFFFF_FFF0, 0)),
    "vtable-before-the-start": ("a table whose vtable is 1000 bytes before it", flat(4, 1000, 0)),
    "vtable-out-of-bounds": ("a table whose vtable is 1000 bytes behind it", flat(4, (1 << 32) - 1000, 0)),
    "vtable-longer-than-the-message": (
        "a vtable of 65534 bytes, of which eight are there",
        flat(12) + halves(65534, 8, 4) + flat(8, 4, 0),
    ),
    "vtable-of-odd-length": ("a vtable of seven bytes", flat(12) + halves(7, 8, 4) + flat(8, 4, 0)),
    "table-out-of-bounds": ("a table of 60000 bytes", flat(12) + halves(6, 60000, 4) + flat(8, 4, 0)),
    "field-out-of-bounds": ("a field 60000 bytes behind its table", flat(12) + halves(6, 8, 60000) + flat(8, 4, 0)),
    "no-field": ("a table without any field", flat(8) + halves(4, 4) + flat(4)),
    "list-out-of-bounds": ("a list of 1000 offsets, of which none is there", FLAT_ROOT + flat(4, 1000)),
    "longest-list": ("a list of 2^32 - 1 offsets", FLAT_ROOT + flat(4, 0xFFFF_FFFF)),
    "list-that-overflows": ("a list of 2^30 offsets: 0 bytes modulo 2^32", FLAT_ROOT + flat(4, 1 << 30)),
    "list-behind-the-end": ("a list 1000 bytes behind the end", FLAT_ROOT + flat(1000, 0)),
    "element-out-of-bounds": ("a list of one table, far behind the end", FLAT_ROOT + flat(4, 1, 1 << 31)),
    "element-is-itself": ("a list of one table, which is its own offset", FLAT_ROOT + flat(4, 1, 0)),
    "text-out-of-bounds": ("a text of 1000 bytes, of which four are there", found(2, b"aaa\0", 1000, 1.0)),
    "text-of-four-gibibytes": ("a text of 2^32 - 1 bytes", found(2, b"aaa\0", 0xFFFF_FFFF, 1.0)),
    "text-without-its-zero": ("a text that no zero follows", found(2, b"aaaa", 3, 1.0)),
    "score-that-is-no-number": (
        "64 results, of which every second has a score that is no number",
        found(64, b"aaa\0", 3, float("nan"), 1.0),
    ),
    "shared-text": (
        "4000 times the same result, whose texts are the same 32 KiB: 262 MB to copy",
        found(4000, b"a" * 32767 + b"\0", 32767, 1.0),
    ),
    "shared-expressions": ("60 expressions, both sides of each the next: 2^60 to work out", nested(60)),
    "deep-expressions": ("5000 expressions in each other", nested(5000)),
    "side-of-no-kind": ("an expression whose sides are of no kind, and there", nested(2, kind=0)),
    "side-of-unknown-kind": ("an expression whose sides are of a kind that there is not", nested(2, kind=9)),
    "sides-that-are-missing": (
        "an expression that says numbers, and has none",
        flat(16) + halves(12, 8, 4, 5, 0, 6) + flat(12, 0x0001_0100),
    ),
}


FORMATS = {
    "capnp": MESSAGES,
    "capnp-packed": PACKED,
    "flatbuffers": FLAT,
    "protobuf": hostile_parsed.PROTOBUF,
    "postcard": hostile_parsed.POSTCARD,
    "json": hostile_parsed.JSON,
}


def text(says, data):
    """A file: what the message is, and the message, 64 bytes a line."""
    digits = data.hex()
    lines = [digits[at : at + 128] for at in range(0, len(digits), 128)]
    return "\n".join([f"# {says}", *lines]) + "\n"


def main():
    folder = pathlib.Path(__file__).parent / "hostile"
    for form, messages in FORMATS.items():
        for name, (says, data) in messages.items():
            path = folder / form / f"{name}.hex"
            if sys.argv[1:] == ["--check"]:
                if path.read_text() != text(says, data):
                    sys.exit(f"{path} is not what this script makes")
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text(says, data))


if __name__ == "__main__":
    main()
