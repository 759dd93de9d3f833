#!/usr/bin/env python3
"""What README shows of tare: its picture, and the output of its first command, made by running it.

Usage: benches/readme.py TARE [--picture | --words] [--budget 10m] [--readme FILE]

--picture runs `doubling/one-core` and keeps the chart of its ratios, docs/results/doubling-one-core-cost-ratio.svg; --words runs
the command in README's section on two commands, and puts what it prints between the marks there. Without either: both. Nothing
else should run on the machine.
"""
import argparse, os, pathlib, re, shlex, shutil, subprocess, tempfile

LAB = pathlib.Path(__file__).resolve().parent.parent
README, PICTURE = LAB / "README.md", "doubling-one-core-cost-ratio.svg"
# The command, the words before its output, the output.
SHOWN = re.compile(r"(    (tare time [^\n]*)\n\n(?:[^\n]+\n)+\n<!-- output -->\n).*?(<!-- end -->)", re.S)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("--picture", action="store_true")
    parser.add_argument("--words", action="store_true")
    parser.add_argument("--budget", default="10m", help="of the run for the picture")
    parser.add_argument("--readme", type=pathlib.Path, default=README, help="the page to write to")
    args = parser.parse_args()
    tare, both = args.tare.resolve(), args.picture == args.words
    if args.picture or both:
        subprocess.run([tare, "-C", LAB, "run", "doubling/one-core", "--budget", args.budget], check=True)
        with tempfile.TemporaryDirectory() as charts:
            subprocess.run([tare, "-C", LAB, "report", "latest", "--format", "svg", "--out", charts], check=True)
            shutil.copy(pathlib.Path(charts) / PICTURE, LAB / "docs/results" / PICTURE)
    if args.words or both:
        text, count = SHOWN.subn(lambda found: f"{found[1]}\n{printed(tare, found[2])}\n{found[3]}", args.readme.read_text())
        args.readme.write_text(text)
        print(f"{count} output of README taken anew")


def printed(tare, command):
    """What a command prints, as README shows it, kept nowhere."""
    with tempfile.TemporaryDirectory() as folder:
        words = [str(tare), *shlex.split(command)[1:]]
        ran = subprocess.run(words, cwd=folder, env={**os.environ, "XDG_STATE_HOME": folder}, check=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return "".join(f"    {line}".rstrip() + "\n" for line in ran.stdout.strip().splitlines())


if __name__ == "__main__":
    main()
