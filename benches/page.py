#!/usr/bin/env python3
"""Reports and the site as a browser shows them: by axe's rules, on a phone, in the dark, on paper, and with a keyboard.

Usage: benches/page.py TARE OUT --axe axe.min.js [--pages FILE.html,…] [--browser chromium] [--pictures]

Makes a report of each kind (a run of a workload, commands, commands over sizes, servers, revisions, benchmarks), a site of
them and a history, in OUT, and opens each in a headless Chromium, with the pages that --pages names. Fails (1) on a violation
of axe's rules in light or dark, on a page that scrolls sideways on a phone of 360 pixels, on a first screen without the
sentence and its chart, on a heading that does not sort by the keyboard, on a chart that cannot be saved or copied, on an
error of a script, and on a table that paper cuts. --pictures keeps what was seen in OUT/pictures.
"""
import argparse, base64, collections, contextlib, fcntl, http.server, json, os, pathlib, shutil, subprocess, sys, threading

SIZES = {"desktop": (1280, 900), "phone": (360, 740)}
# A4 between margins of 14 mm, at 96 pixels an inch.
PAPER = (688, 1000)
# One thing is compared in each of these, so their first screen has a chart.
COMPARED = ("time", "sizes", "load", "diff", "bench", "broken")
# A page opens, or a script ends, within so many seconds.
PATIENCE = 60


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--axe", type=pathlib.Path, required=True)
    parser.add_argument("--pages", default="", help="further pages, with commas between them")
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--pictures", action="store_true")
    args = parser.parse_args()
    out = args.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    pages = made(args.tare.resolve(), out)
    pages.update({pathlib.Path(page).stem: pathlib.Path(page).resolve() for page in args.pages.split(",") if page})
    axe, wrong = args.axe.read_text(), 0
    with Browser(args.browser, out / "browser") as browser:
        unseen = [fault for fault in FAULTS if not any(fault in one for one in
                  Seen(browser, "broken", broken(out / "broken.html"), axe, None).wrong())]
        if unseen:
            sys.exit(f"a page with these faults passed for one without: {', '.join(unseen)}")
        for name, path in pages.items():
            seen = Seen(browser, name, path, axe, out / "pictures" if args.pictures else None)
            found = list(dict.fromkeys(seen.wrong()))
            said = "".join(f"\n    {one}" for one in found) or " right"
            print(f"{name}, {path.stat().st_size / 1e3:.0f} kB:{said}", flush=True)
            wrong += len(found)
    sys.exit(1 if wrong else 0)


# --- the pages ---

def made(tare, out):
    """A page of each kind, by name."""
    home = out / "home"
    home.mkdir()
    env = {**os.environ, "XDG_STATE_HOME": str(home / "state"), "GIT_CONFIG_GLOBAL": os.devnull, "NO_COLOR": "1"}

    def run(*words, cwd=home):
        ran = subprocess.run([str(word) for word in words], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True)
        if ran.returncode:
            sys.exit(f"{' '.join(map(str, words))} ended with {ran.returncode}:\n{ran.stdout}")
        return ran.stdout

    pages = {name: out / f"{name}.html" for name in ("time", "sizes", "load", "diff", "bench", "run")}
    run(tare, "time", "-N", "true", "sleep 0.01", "--runs", 20, "--export-html", pages["time"])
    run(tare, "time", "sleep 0.00{n}", "sleep 0.01{n}", "-L", "n", "1..5", "--runs", 12, "--export-html", pages["sizes"])
    with served() as one, served() as other:
        run(tare, "load", one, other, "-d", "3s", "-c", 4, "--names", "one,other", "--export-html", pages["load"])
    run(tare, "diff", "HEAD~1..HEAD", "--budget", "2s", "--out", pages["diff"], "--", "./mine", cwd=repository(home, run))
    before, after = program(home / "before", 100), program(home / "after", 120)
    run(tare, "bench", "--harness", "generic", "--exe", before, "--exe", after, "--budget", "6s", "--out", pages["bench"])
    lab = home / "lab"
    # Of its own, though the folder for files may be in another lab.
    (lab / "workloads").mkdir(parents=True)
    run(tare, "new", "workload", "workloads/mine", "--language", "python", cwd=lab)
    run(tare, "new", "contender", "workloads/mine/contenders/other", "--language", "python", cwd=lab)
    run(tare, "run", "mine", "--budget", "15s", "--launches", 1, "--rounds", 3, "--out", pages["run"], cwd=lab)
    run(tare, "site", out / "site", "-C", lab)
    pages["site"] = out / "site/index.html"
    run(tare, "site", out / "site-of-benchmarks", "--last", 1)
    pages["site-of-benchmarks"] = out / "site-of-benchmarks/index.html"
    contender = json.loads(run(tare, "report", "latest", "--format", "json", cwd=lab))["workloads"][0]["contenders"][0]["id"]
    run(tare, "history", f"mine/{contender}", "--svg", out / "history", cwd=lab)
    pages["history"] = wrapped(out / "history.html", sorted((out / "history").glob("**/*.svg")))
    return pages


@contextlib.contextmanager
def served():
    """The address of a server that answers everything alike."""
    class Answer(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "3")
            self.end_headers()
            self.wfile.write(b"ok\n")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


def repository(home, run):
    """A program at two revisions."""
    folder = home / "mine"
    run("git", "init", "-q", "-b", "main", folder)
    for number, pause in enumerate(("0.01", "0.012")):
        (folder / "mine").write_text(f"#!/bin/sh\nsleep {pause}\n")
        (folder / "mine").chmod(0o755)
        run("git", "add", ".", cwd=folder)
        run("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", f"Change {number}", cwd=folder)
    return folder


def program(path, parse):
    """A program that prints its benchmarks."""
    path.write_text(f"""#!/bin/sh
want() {{ [ -z "$TARE_BENCHMARK" ] || [ "$TARE_BENCHMARK" = "$1" ]; }}
digit=$(( $$ % 7 ))
if want parse; then echo "parse {parse}.0$digit us"; echo "parse 3 allocs/op"; fi
if want render; then echo "render 200.0$digit us"; fi
""")
    path.chmod(0o755)
    return path


def wrapped(path, charts):
    """Charts that are files, on a page."""
    if not charts:
        sys.exit("tare history wrote no chart")
    body = "\n".join(f"<figure>{chart.read_text()}</figure>" for chart in charts)
    style = (":root { color-scheme: light dark; } body { margin: 0; background: Canvas; color: CanvasText; } "
             "svg { max-width: 100%; height: auto; }")
    path.write_text(f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>History</title>'
                    f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head>'
                    f"<body><main><h1>History</h1>{body}</main></body></html>")
    return path


# What must be seen of a page that has it all.
FAULTS = ("color-contrast", "pixels wider than the screen", "first screen has no sentence", "first screen has no chart",
          "sorts None", "paper cuts", "paper has 1 controls", "paper is rgb(1, 2, 3)", "charts cannot be saved",
          "a script failed: Error: alas")


def broken(path):
    """A page with every fault that is looked for."""
    path.write_text("""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Broken</title>
<meta name="viewport" content="width=device-width"><style>body { background: rgb(1, 2, 3); margin: 0; color: #222; }</style></head>
<body><main><h1>Broken</h1><p>Hardly seen.</p><div style="height: 3000px"></div><section><p class="lead">Late.</p>
<figure><h2>Chart</h2><svg class="wide" viewBox="0 0 1 1" width="99" height="99"></svg><figcaption>.</figcaption></figure></section>
<input aria-label="a control"><table class="sortable" style="width: 2000px"><thead><tr><th><button>name</button></th></tr></thead>
<tbody><tr><td>a</td></tr></tbody></table></main><script>throw new Error("alas");</script></body></html>""")
    return path


# --- the browser ---

class Browser:
    """A Chromium that is told what to do through two pipes (DevTools protocol)."""

    def __init__(self, program, profile):
        ours, theirs = os.pipe(), os.pipe()
        # It reads from descriptor 3 and writes to 4; ours must not be those two.
        read, write = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (ours[0], theirs[1]))

        def place():
            os.dup2(read, 3)
            os.dup2(write, 4)

        # Chromium has no sandbox as root; the pages are our own.
        words = [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                 f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen(words, preexec_fn=place, pass_fds=(3, 4), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (ours[0], theirs[1], read, write):
            os.close(end)
        self.to, self.back = os.fdopen(ours[1], "wb", 0), os.fdopen(theirs[0], "rb", 0)
        self.number, self.rest, self.events = 0, b"", collections.deque()
        # One that hangs ends, and with it the reading from it.
        self.guard = threading.Timer(600, self.process.kill)
        self.guard.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.guard.cancel()
        self.process.kill()
        self.process.wait()

    def call(self, method, session=None, **given):
        """What it answers to a command."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": given}
        if session:
            message["sessionId"] = session
        self.to.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def next(self):
        while b"\0" not in self.rest:
            piece = self.back.read(1 << 16)
            if not piece:
                sys.exit("the browser has ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def until(self, session, method):
        """The next event of this kind."""
        for known in list(self.events):
            if known.get("sessionId") == session and known.get("method") == method:
                self.events.remove(known)
                return known
        while True:
            event = self.next()
            if event.get("sessionId") == session and event.get("method") == method:
                return event
            self.events.append(event)


class Seen:
    """A page in a tab of its own."""

    def __init__(self, browser, name, path, axe, pictures):
        self.browser, self.name, self.axe, self.pictures = browser, name, axe, pictures
        self.url = path.as_uri()
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        for domain in ("Page", "Runtime"):
            self.call(f"{domain}.enable")
        if pictures:
            pictures.mkdir(exist_ok=True)

    def call(self, method, **given):
        return self.browser.call(method, self.session, **given)

    def value(self, script):
        """What an expression comes to; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True,
                           timeout=1000 * PATIENCE)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            sys.exit(f"{self.name}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def shown(self, size, dark=False, media="screen"):
        """The page anew, at a size."""
        wide, high = size
        self.call("Emulation.setDeviceMetricsOverride", width=wide, height=high, deviceScaleFactor=1, mobile=wide < 500)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self.call("Page.navigate", url=self.url)
        self.browser.until(self.session, "Page.loadEventFired")

    def picture(self, view):
        if self.pictures:
            shot = self.call("Page.captureScreenshot", captureBeyondViewport=view.endswith("whole"))
            (self.pictures / f"{self.name}-{view}.png").write_bytes(base64.b64decode(shot["data"]))

    def wrong(self):
        """What is wrong with it, in words."""
        for where, size in SIZES.items():
            for dark in (False, True):
                view = f"{where}{'-dark' if dark else ''}"
                self.shown(size, dark)
                yield from self.overflowing(view)
                if not dark:
                    yield from self.first_screen(view)
                self.picture(view)
                self.picture(f"{view}-whole")
                yield from self.by_axe(view)
        yield from self.sorted_by_keyboard()
        yield from self.charts()
        yield from self.on_paper()
        for event in self.browser.events:
            if event.get("sessionId") == self.session and event["method"] == "Runtime.exceptionThrown":
                yield f"a script failed: {event['params']['exceptionDetails']['exception'].get('description')}"

    def by_axe(self, view):
        # Folded parts are looked at, too.
        self.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        self.value(self.axe)
        found = self.value("axe.run(document, { resultTypes: ['violations'] }).then((all) => all.violations.map((one) => "
                           "[one.id, one.nodes.length, one.nodes[0].target.join(' '), one.nodes[0].failureSummary]))")
        for rule, count, target, why in found:
            yield f"{view}: {rule} ({count}), as in {target}: {' '.join(why.split())}"

    def overflowing(self, view):
        wide = self.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            widest = self.value("[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > "
                                "document.documentElement.clientWidth && !one.closest('.scroll')).map((one) => one.tagName + '.' + one.className)[0]")
            yield f"{view}: {wide} pixels wider than the screen ({widest})"

    def first_screen(self, view):
        """What it came to, and under it, of what is compared, the beginning of the chart."""
        at = "[...document.querySelectorAll('%s')].map((one) => one.getBoundingClientRect()).find((box) => box.height)?.top"
        told = self.value(at % ".told, .lead, #tables table")
        chart = self.value(at % ".lead + figure svg")
        low = SIZES[view][1] - 90
        if "history" not in self.name and (told is None or told > low):
            yield f"{view}: the first screen has no sentence (it is at {told})"
        if self.name in COMPARED and (chart is None or chart > low):
            yield f"{view}: the first screen has no chart (it is at {chart})"

    def sorted_by_keyboard(self):
        self.shown(SIZES["desktop"])
        if not self.value("document.querySelector('th button') !== null"):
            if self.value("document.querySelector('table.sortable, #tables table') !== null"):
                yield "its tables do not sort"
            return
        # From before the first such table, in a folded part or not.
        self.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        self.value("(() => { const table = document.querySelector('th button').closest('table'); table.tabIndex = -1; "
                   "table.focus(); })()")
        self.key("Tab", 9)
        if not self.value("document.activeElement.matches('th button')"):
            yield "Tab does not reach a heading that sorts"
            return
        for way in ("ascending", "descending"):
            self.key("Enter", 13, "\r")
            said = self.value("document.activeElement.parentElement.getAttribute('aria-sort')")
            if said != way:
                yield f"Enter on a heading sorts {said}, not {way}"
        order = self.value("(() => { const th = document.activeElement.parentElement, table = th.closest('table'); return "
                           "[...table.tBodies[0].rows].map((row) => row.cells[th.cellIndex]).map((cell) => "
                           "cell.dataset.key).filter((key) => key !== undefined && key !== '').map(Number); })()")
        if order != sorted(order, reverse=True):
            yield f"sorted in descending order are {order}"

    def key(self, name, code, text=None):
        given = {"key": name, "code": name, "windowsVirtualKeyCode": code, **({"text": text} if text else {})}
        self.call("Input.dispatchKeyEvent", type="keyDown", **given)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=name, windowsVirtualKeyCode=code)

    def charts(self):
        """Each can be saved as SVG, as PNG, and copied."""
        if not self.value("document.querySelector('figure svg.wide') !== null"):
            return
        self.value(KEPT)
        self.call("Page.bringToFront")
        for number in range(self.value("document.querySelectorAll('figure .tools').length")):
            found = self.value(f"saved({number})")
            for fault in found["wrong"]:
                yield f"{found['name']}: {fault}"
            if self.pictures:
                (self.pictures / found["name"]).with_suffix(".svg").write_text(found["svg"])
                png = base64.b64decode(found["png"].split(",", 1)[1])
                (self.pictures / found["name"]).with_suffix(".png").write_bytes(png)
        if not self.value("document.querySelectorAll('figure .tools').length"):
            yield "its charts cannot be saved"

    def on_paper(self):
        for dark in (False, True):
            self.shown(PAPER, dark, media="print")
            self.picture(f"paper{'-dark' if dark else ''}-whole")
            cut = self.value("[...document.querySelectorAll('table, figure, pre')].filter((one) => "
                             "one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.tagName + ' ' + "
                             "one.className + ' of ' + Math.round(one.getBoundingClientRect().width))")
            landscape = self.value("[...document.styleSheets].some((sheet) => [...sheet.cssRules].some((rule) => "
                                   "/landscape/.test(rule.cssText)))")
            if cut and not landscape:
                yield f"paper cuts {', '.join(cut)}"
            controls = self.value("[...document.querySelectorAll('input, select, .tools')].filter((one) => "
                                  "one.getBoundingClientRect().height > 0).length")
            if controls:
                yield f"paper has {controls} controls"
            ground = self.value("getComputedStyle(document.body).backgroundColor")
            if "history" not in self.name and ground not in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"):
                yield f"paper is {ground}"
        if self.pictures:
            pdf = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True, paperWidth=8.27, paperHeight=11.69)
            (self.pictures / f"{self.name}.pdf").write_bytes(base64.b64decode(pdf["data"]))


# What a page saves is kept instead of downloaded, and looked at: both parse, and neither is empty.
KEPT = r"""
window.kept = [];
URL.createObjectURL = (blob) => { kept.push(blob); return "#"; };
HTMLAnchorElement.prototype.click = function () { kept[kept.length - 1].title = this.download; };
window.until = async (holds) => { for (let i = 0; i < 500 && !holds(); i += 1) await new Promise((go) => setTimeout(go, 10)); };
window.saved = async (number) => {
  const tools = document.querySelectorAll("figure .tools")[number];
  const [svg, png, copy] = tools.querySelectorAll("button");
  const wrong = [];
  const pressed = async (button) => {
    const before = kept.length;
    button.click();
    await until(() => kept.length > before);
    return kept[before];
  };
  const drawing = await pressed(svg), pixels = await pressed(png);
  if (!drawing || !pixels) return { name: String(number), wrong: ["nothing was saved"], svg: "", png: "," };
  const text = await drawing.text();
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.tagName !== "svg" || !parsed.querySelector("title, style")) wrong.push("the SVG does not parse");
  if (!/^[A-Za-z0-9-]+\.svg$/.test(drawing.title)) wrong.push("its file is called " + drawing.title);
  const bitmap = await createImageBitmap(pixels);
  if (bitmap.width !== 2 * Math.round(parsed.width.baseVal.value)) wrong.push("the PNG is " + bitmap.width + " pixels wide");
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  canvas.drawImage(bitmap, 0, 0);
  const colours = new Set(new Uint32Array(canvas.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer));
  if (colours.size < 10) wrong.push("the PNG has " + colours.size + " colours");
  copy.click();
  await until(() => copy.textContent !== "Copy");
  if (copy.textContent !== "copied") wrong.push("copying: " + copy.textContent);
  const url = await new Promise((done) => { const reader = new FileReader(); reader.onload = () => done(reader.result); reader.readAsDataURL(pixels); });
  return { name: drawing.title, wrong, svg: text, png: url };
};
"""

if __name__ == "__main__":
    main()
