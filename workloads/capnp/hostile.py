#!/usr/bin/env python3
"""Messages that nobody should trust, by hand: each is offered to every contender, which must refuse or bound it.

Writes hostile/FORMAT/NAME.hex beside itself. With --check it writes nothing and exits with 1 where the files differ.
"""

import pathlib
import struct
import sys


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


MESSAGES = {
    "empty": b"",
    "half-a-table": bytes(4),
    "no-root": framed(b""),
    "truncated": framed(words(ROOT, list_to(0, 7, 7), tag(1, 3, 4), 0, 0, 0, 0, 0, 0, 0))[:-8],
    "too-many-segments": struct.pack("<II", 0xFFFF_FFFF, 1) + words(0),
    "oversized-segment": struct.pack("<II", 0, 0xFFFF_FFFF) + words(ROOT),
    "segments-that-overflow": struct.pack("<4I", 2, 0xFFFF_FFFF, 0xFFFF_FFFF, 2) + words(ROOT, 0),
    "root-out-of-bounds": framed(words(struct_to(1000, 2, 2))),
    "root-before-the-start": framed(words(struct_to(-1000, 2, 2))),
    "root-is-a-list": framed(words(list_to(0, 7, 0), tag(0, 0, 0))),
    "root-is-a-capability": framed(words(3)),
    "cyclic": framed(words(struct_to(0, 2, 2), *SELF)),
    "list-out-of-bounds": framed(words(ROOT, list_to(0, 7, 1000), tag(125, 4, 4))),
    "list-longer-than-it-says": framed(words(ROOT, list_to(0, 7, 8), tag(1000, 4, 4), *[0] * 8)),
    "list-of-nothings": framed(words(ROOT, list_to(0, 7, 0), tag((1 << 29) - 1, 0, 0))),
    "list-of-voids": framed(words(ROOT, list_to(0, 0, (1 << 29) - 1))),
    "list-whose-tag-is-a-list": framed(words(ROOT, list_to(0, 7, 7), list_to(1, 3, 4), *[0] * 7)),
    "list-of-bits": framed(words(ROOT, list_to(0, 1, 64), 0xFFFF_FFFF_FFFF_FFFF)),
    "far-to-no-segment": framed(words(far_to(7, 0))),
    "far-out-of-bounds": framed(words(far_to(1, 1000)), words(0)),
    "far-to-itself": framed(words(far_to(0, 0))),
    "far-to-far": framed(words(far_to(1, 0)), words(far_to(1, 0))),
    "double-far-to-no-far": framed(words(far_to(1, 0, True)), words(struct_to(0, 2, 2), 0)),
    "double-far-to-itself": framed(words(far_to(1, 0, True)), words(far_to(1, 0, True), struct_to(0, 2, 2))),
    "text-out-of-bounds": framed(words(ROOT, list_to(0, 7, 3), tag(1, 1, 2), 0, list_to(0, 2, 80), list_to(0, 2, 80))),
    "text-without-its-zero": framed(
        words(ROOT, list_to(0, 7, 3), tag(1, 1, 2), 0, list_to(1, 2, 8), list_to(0, 2, 8), 0x6161_6161_6161_6161)
    ),
    "text-of-no-bytes": framed(words(ROOT, list_to(0, 7, 3), tag(1, 1, 2), 0, list_to(0, 2, 0), list_to(0, 2, 0))),
    "text-that-is-a-struct": framed(
        words(ROOT, list_to(0, 7, 3), tag(1, 1, 2), 0, struct_to(1, 1, 0), struct_to(0, 1, 0), 0)
    ),
    "shared-text": shared(),
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


PACKED = {name: packed(data) for name, data in MESSAGES.items() if len(data) % 8 == 0} | {
    "tag-without-bytes": bytes([0b1111]),
    "zeros-without-a-count": bytes([0]),
    "zeros-beyond-the-message": packed(words(1 << 32)) + bytes([0, 200]),
    "raw-words-that-are-missing": packed(words(1 << 32)) + bytes([255]) + bytes(8) + bytes([250]),
}


def main():
    folder = pathlib.Path(__file__).parent / "hostile"
    for form, messages in {"capnp": MESSAGES, "capnp-packed": PACKED}.items():
        for name, data in messages.items():
            path, text = folder / form / f"{name}.hex", data.hex() + "\n"
            if sys.argv[1:] == ["--check"]:
                if path.read_text() != text:
                    sys.exit(f"{path} is not what this script makes")
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)


if __name__ == "__main__":
    main()
