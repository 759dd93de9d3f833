#!/usr/bin/env python3
"""How large the site's index is with many contenders, and how soon a browser has drawn it.

Usage: benches/site.py INDEX OUT [--contenders 500] [--browser chromium]

INDEX is the index.html of a site (`tare site DIR`). Its newest run's first group is filled up to so many contenders,
the page is opened in a headless browser, and what it took from the beginning of the navigation until the tables were
there is printed, with a screenshot, in OUT.
"""
import argparse, copy, json, pathlib, re, subprocess

BEGIN, END = '<script type="application/json" id="data">', "</script>"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--contenders", type=int, default=500)
    parser.add_argument("--browser", default="chromium")
    args = parser.parse_args()
    head, rest = args.index.read_text().split(BEGIN, 1)
    text, tail = rest.split(END, 1)
    data = json.loads(text)
    group = data["runs"][0]["groups"][0]
    first = [one for one in group["contenders"] if one["rank"]]
    for number in range(args.contenders - len(group["contenders"])):
        one = copy.deepcopy(first[number % len(first)])
        one["name"] += f"-{number}"
        group["contenders"].append(one)
    page = head + BEGIN + json.dumps(data).replace("<", "\\u003c") + END + tail
    clock = "<script>requestAnimationFrame(() => setTimeout(() => { document.body.dataset.took = performance.now(); }))</script>"
    args.out.mkdir(parents=True, exist_ok=True)
    path = (args.out / "index.html").resolve()
    path.write_text(page.replace("</body>", clock + "</body>"))
    words = [args.browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={args.out / 'browser'}"]
    dumped = subprocess.run([*words, "--timeout=20000", "--dump-dom", path.as_uri()], capture_output=True, text=True)
    took = re.search(r'data-took="([0-9.]+)"', dumped.stdout)
    rows = re.search(r'data-drawn="([0-9]+)"', dumped.stdout)
    subprocess.run([*words, "--window-size=1200,900", f"--screenshot={args.out / 'site.png'}", path.as_uri()],
                   capture_output=True)
    print(f"{path.stat().st_size / 1e6:.2f} MB, {rows and rows[1]} rows, drawn after {float(took[1]) if took else None} ms")


if __name__ == "__main__":
    main()
