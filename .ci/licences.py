#!/usr/bin/env python3
"""The licences of what is linked into the program of a target, as a release has to bring them along.

Usage: .ci/licences.py TARGET

Prints every crate of others that the command `tare` is built of, with its licence and that licence's texts as they lie in the
crate's sources; texts that are the same are printed once. Ends with 1 where a crate has neither a text nor a known licence.
"""
import hashlib, json, pathlib, re, subprocess, sys

NAMES = re.compile(r"^(licen[cs]e|copying|notice|unlicense)", re.I)
# Of crates that bring no text: a choice that the text of another crate or of Tare itself gives.
KNOWN = ("MIT", "Apache-2.0")
BESIDE = """\
The standard library of Rust: MIT OR Apache-2.0, copyright (c) The Rust Project contributors.
musl, the C library: MIT, copyright (c) 2005-2020 Rich Felker and others.
SQLite: in the public domain.
"""


def main(target):
    call = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    metadata = json.loads(subprocess.run(call, check=True, stdout=subprocess.PIPE).stdout)
    crates = sorted(linked(metadata), key=lambda crate: (crate["name"], crate["version"]))
    texts, wordless = {}, []
    print("What is linked into tare beside its own code, which is under MIT OR Apache-2.0.")
    print("The sources of each crate, as they were built, are in Rust's package registry by its name and version.\n")
    print(BESIDE)
    for crate in crates:
        found = [texts.setdefault(digest(text), (len(texts) + 1, text))[0] for text in text_of(crate, crates)]
        where = ", ".join(f"text {number}" for number in sorted(set(found))) or "no text of its own"
        print(f"{crate['name']} {crate['version']}: {crate['license']} ({where})")
        if not found and not any(name in (crate["license"] or "") for name in KNOWN):
            wordless.append(f"{crate['name']}: {crate['license']}, without a text")
    for number, text in texts.values():
        print(f"\n{'-' * 30} text {number} {'-' * 30}\n\n{text}")
    if wordless or not crates:
        sys.exit("error: " + ("; ".join(wordless) or "no crate was found"))


def linked(metadata):
    """The crates of others that the command needs, not only for its build or its tests."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    todo = [key for key, package in packages.items() if package["name"] == "tare-bench" and not package["source"]]
    seen = set()
    while todo:
        key = todo.pop()
        if key in seen:
            continue
        seen.add(key)
        normal = lambda dep: any(kind["kind"] is None for kind in dep["dep_kinds"])
        todo += [dep["pkg"] for dep in nodes[key]["deps"] if normal(dep)]
    return [packages[key] for key in seen if packages[key]["source"]]


def text_of(crate, crates):
    """What a crate brings; where that is nothing, what another of the same project brings under the same licence."""
    project = lambda one: (one["repository"], one["license"])
    beside = [one for one in crates if crate["repository"] and project(one) == project(crate)]
    return next(filter(None, map(brought, [crate, *beside])), [])


def brought(crate):
    folder = pathlib.Path(crate["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and NAMES.match(path.name) and path.suffix != ".rs")
    return [path.read_text(errors="replace").strip() for path in files]


def digest(text):
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()


if __name__ == "__main__":
    main(sys.argv[1])
