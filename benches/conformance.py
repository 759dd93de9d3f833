#!/usr/bin/env python3
"""Whether `tare load` takes what servers of HTTP/2 do wrong for what it is: h2spec's cases for clients.

Usage: benches/conformance.py TARE [--sections 4.1,6.9.1,…] [--tls] [--strict]

h2specd, of the h2spec project, is a server that speaks HTTP/2 wrongly, in another way on each of its ports, and watches what
the client does. It is built here from its module (needs go). Each case starts `tare load` for one request; right is a
connection that is closed, or the frame that the RFC names. Prints the cases that failed, and how many passed. With --strict
it exits with 1 if one failed.
"""
import argparse, pathlib, re, shutil, subprocess, sys, tempfile

from generators import Servers, free_port

MODULE = "github.com/summerwind/h2spec"
VERSION = "v2.2.1+incompatible"
# How often cases are asked again whose connection was closed or reset.
AGAIN = 5
CLIENT = """#!/bin/sh
exec '{tare}' load "{scheme}${{1#{theirs}}}" -n 1 -c 1 --timeout 1s -q {options} >/dev/null 2>&1
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("--sections", default="", help="of RFC 7540, all cases by default")
    parser.add_argument("--tls", action="store_true", help="over TLS")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a case failed")
    args = parser.parse_args()
    if not shutil.which("go"):
        sys.exit("go is missing (https://go.dev/dl, or `apt-get install golang-go`)")
    with tempfile.TemporaryDirectory() as folder:
        failed, count = cases(args, pathlib.Path(folder))
    for name, why in failed:
        print(f"failed: {name}: {why}")
    print(f"{count - len(failed)} of {count} cases passed")
    sys.exit(1 if count == 0 or (args.strict and failed) else 0)


def cases(args, folder):
    """The cases that failed, each with why, and the number of all."""
    client = folder / "client.sh"
    scheme, theirs, options = ("https", "https", "--http 2 --insecure") if args.tls else ("h2c", "http", "")
    client.write_text(CLIENT.format(tare=args.tare.resolve(), scheme=scheme, theirs=theirs, options=options))
    client.chmod(0o755)
    words = [build(folder), "--host", "127.0.0.1", "--port", str(free_port()), "--exec", str(client)]
    if args.tls:
        Servers(folder).certificate()
        words += ["--tls", "--cert-file", str(folder / "certificate.pem"), "--cert-key-file", str(folder / "key.pem")]
    failed, count = asked(words, [section for section in args.sections.split(",") if section])
    for _ in range(AGAIN):
        # A connection that was closed at once may have been the one that tare opens and closes to see whether anything listens.
        reset = sorted({name.split(" ")[0].rstrip(".") for name, why in failed if "reset by peer" in why or why == "Connection closed"})
        if not reset:
            break
        still, _ = asked(words, reset)
        failed = [one for one in failed if one[0].split(" ")[0].rstrip(".") not in reset] + still
    return failed, count


def asked(words, sections):
    """The cases of sections that failed, all of them if none is named, and the number of all."""
    words = [*words, *(f"client/{section}" for section in sections)]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=600)
    told = re.search(r"^(\d+) tests, (\d+) passed", ran.stdout, re.MULTILINE)
    if not told:
        sys.exit(f"{' '.join(map(str, words))} ended with {ran.returncode}:\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return failures(ran.stdout), int(told[1])


def failures(text):
    """The cases that the server tells at its end, each with its section and what was seen."""
    found, section = [], ""
    for line in text.partition("Failures:")[2].splitlines():
        if head := re.match(r"\s+(\d+(\.\d+)*\. .*)", line):
            section = head[1]
        elif case := re.match(r"\s+× \d+: (.*)", line):
            found.append([f"{section}: {case[1]}", ""])
        elif actual := re.match(r"\s+Actual: (.*)", line):
            found[-1][1] = actual[1]
    return found


def build(folder):
    """The server, built in a module of its own, since it comes without one."""
    def go(*words):
        return subprocess.run(["go", *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()

    go("mod", "init", "conformance")
    go("get", f"{MODULE}@{VERSION}")
    program = folder / "h2specd"
    source = pathlib.Path(go("list", "-m", "-f", "{{.Dir}}", MODULE)) / "cmd/h2specd/h2specd.go"
    go("build", "-mod=mod", "-o", str(program), str(source))
    return program


if __name__ == "__main__":
    main()
