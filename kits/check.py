#!/usr/bin/env python3
"""Builds an example with each kit and holds every answer to a model of the probe protocol.

    python3 kits/check.py [LANGUAGE]...

An example lies in examples/LANGUAGE and is laid out as tare lays out a contender: the kit beside it, under
with/LANGUAGE. Languages whose tools are not here are left out, and said so. Exits with 1 if any answer was wrong.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

KITS = Path(__file__).resolve().parent

# Language: the tools it takes, how the example is built, how it is run. Paths are from the example's copy.
LANGUAGES = {
    "c": (["cc"], [["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", "server", "main.c"]], ["./server"]),
    "cpp": (
        ["c++"],
        [["c++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-o", "server", "main.cpp"]],
        ["./server"],
    ),
    "go": (["go"], [["go", "build", "-o", "server", "."]], ["./server"]),
    "haskell": (
        ["ghc"],
        [["ghc", "-v0", "-O2", "-Wall", "-Werror", "-iwith/haskell", "-o", "server", "Main.hs"]],
        ["./server"],
    ),
    "java": (
        ["javac", "java"],
        [["javac", "-Xlint:all", "-Werror", "-source", "17", "-target", "17", "-Xlint:-options", "-d", "classes",
          "Main.java", "with/java/Probe.java", "with/java/TimedLoop.java"]],
        ["java", "-cp", "classes", "Main"],
    ),
    "node": (["node"], [], ["node", "main.js"]),
    "python": (["python3"], [], ["python3", "main.py"]),
    "rust": (["cargo"], [["cargo", "build", "-q", "--release", "--locked"]], ["target/release/server"]),
}

# What the examples' jobs make, by size.
RESULTS = {
    None: [b"%d" % (i * 7919) for i in range(64)],
    1: [bytes([97 + i]) * i for i in range(7)],
    8: [((i - 1) % 2**64).to_bytes(8, "little") for i in range(7)],
}

REFUSED = ["", " ", "run", "run ", "run x", "run -1", "run +1", "run 1 ", "run  1", "run 1 2 3", "Run 1", "run 1\r",
           "run 18446744073709551616", "run " + "9" * 30, "run 1 9", "show", "show -1", "show 64", "show 7 1",
           "show 18446744073709551615", "show 0 1 2", "walk 1", "twice", "twice 1", "twice zz", "\x00", "run 1\x00",
           "r\u00fcn 1", "run \u0661", "a\rb"]


def term(result):
    """What one result adds to the checksum."""
    length = len(result)
    padded = result.ljust(4, b"\0")
    first = int.from_bytes(padded[:4], "little")
    last = int.from_bytes(padded[-4:] if length >= 4 else padded, "little")
    return length * 2654435761 + first * 2246822519 + last * 3266489917


def checksum(count, size):
    """The checksum of a run."""
    results = RESULTS[size]
    return sum(term(results[i % len(results)]) for i in range(count)) % 2**32


def cases(language):
    """Pairs of a line and the pattern of its answer."""
    # The kit for C knows one set of sizes a process, and no commands: its sized jobs are asked in a second process.
    for size, results in RESULTS.items():
        word = "" if size is None else f" {size}"
        for count in (0, 1, 2, 6, 7, 8, 63, 64, 65, 1000, 100_003):
            yield size, f"run {count}{word}", rf"ok [0-9]+ {checksum(count, size)}"
        for number in range(len(results)):
            yield size, f"show {number}{word}", f"ok {results[number].hex()}"
    if language != "c":
        yield None, "twice 00ff", "ok 00ff00ff"
    for line in REFUSED:
        yield None, line, "error .+"
    yield 8, "run 1 18446744073709551615", "error .+"


ONLY = [("run 1", rf"ok [0-9]+ {checksum(1, 1)}"), ("show 6", "ok 676767676767"), ("run 1 1", "error .+"),
        ("show 7", "error .+")]


def ask(command, folder, lines):
    """The answers to some lines, and the status that the process ends with."""
    text = "".join(line + "\n" for line in lines)
    done = subprocess.run(command, cwd=folder, input=text.encode(), capture_output=True, timeout=120, check=False)
    return done.stdout.decode().split("\n")[:-1], done.returncode


def wrong_answers(language, command, folder):
    """What was asked and not answered as the protocol says."""
    asked = list(cases(language))
    parts = [asked]
    if language == "c":
        parts = [[case for case in asked if (case[0] is None) == plain] for plain in (True, False)]
    elif language != "cpp":
        # One size of the sweep as the case of its own that it may be.
        answers, _ = ask(command + ["1"], folder, [line for line, _ in ONLY])
        wrong = [line for (line, pattern), answer in zip(ONLY, answers) if not re.fullmatch(pattern, answer)]
        if wrong or len(answers) != len(ONLY):
            yield f"with only size 1, wrong: {wrong}; answers: {answers}"
    for number, part in enumerate(parts):
        answers, status = ask(command + ["sized"] * number, folder, [line for _, line, _ in part])
        if status != 0 or len(answers) != len(part):
            yield f"{len(part)} lines got {len(answers)} answers, and the process ended with {status}"
        for (_, line, pattern), answer in zip(part, answers):
            if not re.fullmatch(pattern, answer):
                yield f"{line!r} was answered {answer!r}, which is not {pattern}"


def check(language):
    """Builds and asks one language's example; what is wrong with it, or None where it cannot be built here."""
    tools, build, run = LANGUAGES[language]
    if not all(shutil.which(tool) for tool in tools):
        return None
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "example"
        shutil.copytree(KITS / "examples" / language, folder)
        shutil.copytree(KITS / language, folder / "with" / language)
        for step in build:
            subprocess.run(step, cwd=folder, check=True)
        return list(wrong_answers(language, run, folder))


def main():
    """Checks the languages that were named, or all."""
    failed = False
    for language in sys.argv[1:] or LANGUAGES:
        wrong = check(language)
        words = "left out: its tools are not here" if wrong is None else f"{len(wrong)} wrong answers"
        print(f"{language}: {words}", *(wrong or [])[:20], sep="\n  ")
        failed |= bool(wrong)
    sys.exit(failed)


if __name__ == "__main__":
    main()
