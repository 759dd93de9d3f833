#!/usr/bin/env python3
"""What somebody new meets, in figures, each beside its aim: how large tare is and how soon it helps, how soon a first verdict and
a first table of a lab are there, how large a report is, and how soon a site shows.

Usage: benches/newcomer.py TARE OUT [--only FIGURE,…] [--budget 1m] [--contenders 500] [--browser chromium]
       [--debian FILE.tar] [--lab-budget 3m]

TARE is a program that is released (`.ci/package` makes it). The figures: size, help, verdict, report, site, lab. The last needs
root and the archive of a Debian without compilers, such as `.ci/try-packages` keeps in target/ci/bookworm.tar: README's command
for a laboratory is run there from the beginning, with all that it installs. The others are kept in the folder OUT. Ends with 1
if an aim is missed. Nothing else should run on the machine.
"""
import argparse, json, os, pathlib, re, shlex, shutil, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).resolve().parent
LAB = HERE.parent
# What a lab is made of.
PARTS = ("workloads/doubling", "languages", "services", "kits")


class LeftOut(Exception):
    """Why a figure is not taken here."""


class Newcomer:
    """Who has the program, and nothing of it yet."""

    def __init__(self, args):
        self.args, self.tare = args, args.tare.resolve()
        self.home = args.out.resolve() / "home"
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir(parents=True)
        self.env = {**os.environ, "XDG_STATE_HOME": str(self.home / "state"), "NO_COLOR": "1"}

    def run(self, *words):
        """What tare prints; the whole ends where it does not work."""
        ran = subprocess.run([str(self.tare), *map(str, words)], cwd=self.home, env=self.env, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        if ran.returncode:
            sys.exit(f"tare {shlex.join(map(str, words))} ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
        return ran.stdout

    def size(self):
        yield "the program", self.tare.stat().st_size / 1e6, 15, "MB"

    def help(self):
        document = json.loads(self.run("time", "-N", f"{shlex.quote(str(self.tare))} --help", "--names", "help", "--budget",
                                       self.args.budget, "--format", "json"))
        found = next(one for one in document["workloads"][0]["contenders"] if one["id"] == "help")
        yield "`tare --help`", found["metrics"]["duration"]["estimate"] * 1e3, 10, "ms"

    def verdict(self):
        """README's first command, as it stands there."""
        words = shlex.split(re.search(r"^    tare (time .*)$", (LAB / "README.md").read_text(), re.M)[1])
        began = time.monotonic()
        said = self.run(*words)
        took = time.monotonic() - began
        if "slower than" not in said and "faster than" not in said and "equivalent" not in said:
            took = float("inf")
        yield "a first verdict", took, 60, "s"

    def report(self):
        lab = self.lab_of_ten()
        self.run("run", "mine", "--budget", self.args.budget, "--format", "json", "-C", lab)
        self.run("report", "latest", "--format", "html", "--out", lab / "report.html", "-C", lab)
        yield "a report of ten contenders", (lab / "report.html").stat().st_size / 1e3, 300, "kB"

    def lab_of_ten(self):
        """A new workload, with its contender ten times."""
        lab = self.home / "ten"
        lab.mkdir()
        # Named, since the folder may stand in another lab.
        self.run("new", "workload", "workloads/mine", "--language", "python", "-C", lab)
        first = lab / "workloads/mine/contenders/python"
        for number in range(2, 11):
            shutil.copytree(first, first.with_name(f"python-{number}"))
            manifest = first.with_name(f"python-{number}") / "contender.toml"
            manifest.write_text(manifest.read_text().replace('"floor"', '"idiomatic"'))
        return lab

    def site(self):
        if not shutil.which(self.args.browser):
            raise LeftOut(f"{self.args.browser} is missing")
        folder = self.home / "site"
        # Of a run that is there, or of one that is made for it.
        lab = self.home / "ten"
        if not lab.is_dir():
            list(self.report())
        self.run("site", folder, "-C", lab)
        words = [sys.executable, HERE / "site.py", folder / "index.html", self.home / "filled", "--contenders",
                 str(self.args.contenders), "--browser", self.args.browser]
        said = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout
        drawn = re.search(r"drawn after ([0-9.]+) ms", said)
        if not drawn:
            raise LeftOut(f"the browser did not say when it was done: {said.strip()}")
        yield f"a site of {self.args.contenders} contenders, drawn", float(drawn[1]) / 1e3, 1, "s"

    def lab(self):
        if os.geteuid() or not self.args.debian:
            raise LeftOut("it needs root, and --debian")
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            subprocess.run(["tar", "--extract", "--file", self.args.debian, "--directory", root, "--exclude", "./dev/*"],
                           check=True)
            shutil.copy(self.tare, root / "usr/bin/tare")
            shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
            for part in PARTS:
                shutil.copytree(LAB / part, root / "lab" / part, ignore=shutil.ignore_patterns(".tare", "build", "target"))
            began = time.monotonic()
            said = inside(root, f"tare run doubling --install --budget {self.args.lab_budget}")
            took = time.monotonic() - began
        verdicts = re.findall(r"(?:faster|slower|equivalent)$", said, re.M)
        print(f"    {len(verdicts)} verdicts of a bare Debian's first run", flush=True)
        yield "a first table of a lab, from a bare Debian", took / 60 if verdicts else float("inf"), 10, "minutes"


def inside(root, command):
    """What a command prints in a Debian of its own, in /lab; the mounts end with it."""
    script = """
        mount -t proc proc "$0/proc"
        mount --rbind /dev "$0/dev"
        mount --rbind /sys "$0/sys"
        exec chroot "$0" sh -euc "cd /lab && $1"
    """
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    # README's reader has looked for packages before.
    words = ["unshare", "--mount", "sh", "-euc", script, root, f"apt-get update -qq && {command}"]
    ran = subprocess.run(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode not in (0, 3):
        sys.exit(f"{command} ended with {ran.returncode}:\n{ran.stdout}")
    return ran.stdout


FIGURES = ("size", "help", "verdict", "report", "site", "lab")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", default=",".join(FIGURES), help="some of the figures")
    parser.add_argument("--budget", default="1m", help="of the time of --help, and of the run for the report")
    parser.add_argument("--contenders", type=int, default=500, help="of the site")
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--debian", type=pathlib.Path, help="the archive of a minimal Debian")
    parser.add_argument("--lab-budget", default="3m", help="of the first run of a lab")
    args = parser.parse_args()
    wanted = args.only.split(",")
    if unknown := set(wanted) - set(FIGURES):
        parser.error(f"no figure {', '.join(sorted(unknown))}: there are {', '.join(FIGURES)}")
    new, missed = Newcomer(args), 0
    for name in wanted:
        try:
            for what, found, aim, unit in getattr(new, name)():
                missed += found > aim
                print(f"{what}: {found:.4g} {unit} (aim: no more than {aim})", flush=True)
        except LeftOut as why:
            print(f"{name}: left out: {why}", flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
