#!/usr/bin/env python3
"""Folders of FrameworkBenchmarks and HttpArena, measured as they are: which of a checkout can run here, whether their answers are
right, and how fast they are, over all tests that they have.

Usage: benches/suites.py TARE OUT [--tfb DIR] [--httparena DIR] [--only NAME,…] [--per-language N] [--tests NAME,…]
                         [--budget TIME] [--images] [--certificates FILE] [--check]

DIR is a checkout of the suite; nothing in it is changed. Chosen are the implementations of --only, or of each language the first
--per-language (2) whose base images are here, or can be made with --images (benches/base_images.py, which --certificates is
for). Each is checked by itself (OUT/SUITE-check.json); those whose answers are right are measured together, a run for each
test (OUT/SUITE-TEST.json, with --budget each: 10m); OUT/SUITE.md is the table of both. With --check nothing is measured.
What is there is not made again: an interrupted round goes on where it was. Needs root and podman.
"""
import argparse, json, os, pathlib, subprocess, sys

HERE = pathlib.Path(__file__).resolve().parent
SUITES = {"tfb": "FrameworkBenchmarks", "httparena": "HttpArena"}


class Suite:
    """A checkout of a suite, and what is found out of it."""

    def __init__(self, args, word, checkout):
        self.args, self.word, self.checkout = args, word, checkout.resolve()
        self.tare = [args.tare, "-C", args.out]

    def path(self, end):
        return self.args.out / f"{self.word}-{end}"

    def json(self, *words, ok=(0,)):
        """The document that tare prints."""
        print("$ tare", *words, flush=True)
        done = subprocess.run([*self.tare, *words, "--format", "json"], stdout=subprocess.PIPE, text=True)
        if done.returncode not in ok or not done.stdout:
            sys.exit(f"`tare {' '.join(map(str, words))}` ended with {done.returncode}")
        return json.loads(done.stdout)

    def chosen(self):
        """The implementations that are tried: those that were named, or some of each language."""
        listed = self.json("import", self.checkout)["implementations"]
        able = [one for one in listed if one["runs"]]
        print(f"{SUITES[self.word]}: {len(able)} of {len(listed)} implementations can run here, by what their folders say")
        if self.args.only:
            return [one for one in able if one["contender"] in self.args.only or one["name"] in self.args.only]
        chosen, count, folders = [], {}, set()
        # The one with the most tests stands for its folder.
        for one in sorted(able, key=lambda one: (-len(runnable(one)), one["name"])):
            language = one["language"]
            full = count.get(language, 0) == self.args.per_language
            if full or one["folder"] in folders or not self.images_of(one):
                continue
            count[language] = count.get(language, 0) + 1
            folders.add(one["folder"])
            chosen.append(one)
        return chosen

    def images_of(self, one):
        """Whether its base images are here, or can be made."""
        missing = [base for base in one["container"]["bases"] if not has_image(base)]
        return not missing or (self.args.images and can_make(missing))

    def make_images(self, chosen):
        bases = sorted({base for one in chosen for base in one["container"]["bases"]})
        missing = [base for base in bases if not has_image(base)]
        if missing and self.args.images:
            words = [sys.executable, HERE / "base_images.py", *missing]
            words += ["--certificates", self.args.certificates] if self.args.certificates else []
            subprocess.run(words, check=True)

    def folder(self, one):
        return f"{self.word}:{self.checkout / one['folder']}"

    def checked(self, chosen):
        """What each answers rightly, by contender and test: nothing, or the reason why not."""
        path = self.path("check.json")
        found = json.loads(path.read_text()) if path.exists() else {}
        for one in chosen:
            name = one["contender"]
            tests = [test for test in runnable(one) if not self.args.tests or test in self.args.tests]
            if not tests or set(tests) <= set(found.get(name, {})):
                continue
            words = ["check", self.folder(one), "--only", name, "--test", ",".join(tests)]
            document = self.json(*words, ok=(0, 1, 3))
            found[name] = {entry["case"]: entry["reason"] for entry in document["checked"]}
            path.write_text(json.dumps(found, indent=1) + "\n")
            for test, reason in found[name].items():
                print(f"  {name} {test}: {'right' if reason is None else reason.splitlines()[0]}", flush=True)
        return found

    def measured(self, chosen, checked):
        """A run for each test, of those whose answers are right."""
        for test in sorted({test for one in checked.values() for test in one}):
            path = self.path(f"{test}.json")
            right = [one for one in chosen if checked.get(one["contender"], {}).get(test, "") is None]
            if not right or path.exists() or (self.args.tests and test not in self.args.tests):
                continue
            folders = list(dict.fromkeys(self.folder(one) for one in right))
            names = ",".join(one["contender"] for one in right)
            words = ["run", *folders, "--only", names, "--test", test, "--budget", self.args.budget]
            document = self.json(*words, ok=(0, 1, 3, 4))
            document["run"]["machine"].pop("host", None)
            path.write_text(json.dumps(document, indent=1) + "\n")

    def table(self, chosen, checked):
        """Markdown: each implementation, and what was found of each of its tests."""
        tests = list(dict.fromkeys(test for one in checked.values() for test in one))
        figures = {test: self.figures(test) for test in tests}
        lines = [f"# {SUITES[self.word]}", "", "Requests a second, with their interval; a fault is why there are none.", ""]
        lines += ["| implementation | language | " + " | ".join(tests) + " |", "| --- | --- |" + " ---: |" * len(tests)]
        for one in chosen:
            name = one["contender"]
            cells = [cell(checked.get(name, {}), figures[test].get(name), test) for test in tests]
            lines.append(f"| {one['display_name']} ({name}) | {one['language']} | " + " | ".join(cells) + " |")
        faults = [(name, test, why) for name, tests in checked.items() for test, why in tests.items() if why]
        if faults:
            lines += ["", "Faults, by their first line:", ""]
            lines += [f"- {name}, {test}: {why.splitlines()[0]}" for name, test, why in faults]
        (self.args.out / f"{self.word}.md").write_text("\n".join(lines) + "\n")
        print(f"wrote {self.args.out / self.word}.md: {len(chosen)} implementations, {len(tests)} tests")

    def figures(self, test):
        """By contender: the figure of the case's primary metric, of the largest size."""
        path = self.path(f"{test}.json")
        if not path.exists():
            return {}
        found = {}
        for arena in json.loads(path.read_text())["workloads"]:
            for contender in arena["contenders"]:
                metric = contender.get("metrics", {}).get(arena["primary"])
                if metric:
                    found[contender["id"]] = metric
        return found


def cell(checked, figure, test):
    if test not in checked:
        return "–"
    if checked[test]:
        return "fault"
    if not figure:
        return "right"
    low, high = figure.get("low"), figure.get("high")
    interval = f" ({low:.0f}–{high:.0f})" if low and high else ""
    return f"{figure['estimate']:.0f}{interval}"


def runnable(one):
    return [test["name"] for test in one["tests"] if not test["why_not"]]


def has_image(name):
    whole = name if "/" in name else f"docker.io/library/{name}"
    return subprocess.run(["podman", "image", "exists", whole], stderr=subprocess.DEVNULL).returncode == 0


def can_make(names):
    words = [sys.executable, HERE / "base_images.py", "--can", *names]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return set(names) <= set(done.stdout.split())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--tfb", type=pathlib.Path)
    parser.add_argument("--httparena", type=pathlib.Path)
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--per-language", type=int, default=2)
    parser.add_argument("--tests", type=lambda text: text.split(","), default=[])
    parser.add_argument("--budget", default="10m")
    parser.add_argument("--images", action="store_true")
    parser.add_argument("--certificates", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    checkouts = {word: getattr(args, word) for word in SUITES if getattr(args, word)}
    if not checkouts:
        parser.error("name a checkout: --tfb DIR, --httparena DIR")
    if os.geteuid() != 0:
        sys.exit("this needs root: containers are held by control groups")
    args.tare, args.out = args.tare.resolve(), args.out.resolve()
    args.out.mkdir(parents=True, exist_ok=True)
    for word, checkout in checkouts.items():
        suite = Suite(args, word, checkout)
        chosen = suite.chosen()
        suite.make_images(chosen)
        checked = suite.checked(chosen)
        if not args.check:
            suite.measured(chosen, checked)
        suite.table(chosen, checked)


if __name__ == "__main__":
    main()
