"use strict";
// Draws the index from the figures in the page. The choices are kept in the part of the address after #, so that a
// view can be sent as a link, and works from a file on a disk.
(() => {
  const runs = JSON.parse(document.getElementById("data").textContent).runs;
  const form = document.getElementById("filters");
  const tables = document.getElementById("tables");
  const about = document.getElementById("about");
  const ALL = "";
  // The columns of numbers, which stand at the right.
  const NUMBERS = [4, 5, 7, 8, 10, 11];

  const chosen = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

  function remember() {
    const words = new URLSearchParams();
    for (const field of form.elements) if (field.value) words.set(field.name, field.value);
    history.replaceState(null, "", "#" + words);
    draw();
  }

  function make(kind, text, name) {
    const element = document.createElement(kind);
    if (text !== undefined && text !== null) element.textContent = text;
    if (name) element.className = name;
    return element;
  }

  function options(name, list, wanted) {
    const select = form.elements[name];
    select.replaceChildren(...list.map(([value, text]) => {
      const option = make("option", text);
      option.value = value;
      return option;
    }));
    select.value = list.some(([value]) => value === wanted) ? wanted : list.length ? list[0][0] : "";
  }

  const unique = (list) => [...new Set(list)].filter((value) => value).sort();
  const withAll = (list) => [[ALL, "all"], ...list.map((value) => [value, value])];

  function fill() {
    const want = chosen();
    const names = runs.map((run) => [run.id, run.date + " · " + unique(run.groups.map((g) => g.workload)).join(", ")]);
    options("run", names, want.run);
    options("beside", [[ALL, "no other"], ...names], want.beside || ALL);
    const run = runs.find((one) => one.id === form.elements.run.value);
    const groups = run ? run.groups : [];
    const all = groups.flatMap((group) => group.contenders);
    options("group", withAll(groups.map((group) => group.title)), want.group);
    options("language", withAll(unique(all.map((one) => one.language))), want.language);
    options("style", withAll(unique(all.map((one) => one.style))), want.style);
    const metrics = new Map(groups.flatMap((group) => group.metrics.map((metric) => [metric.name, metric.title])));
    options("metric", [[ALL, "the one that decides"], ...metrics], want.metric);
    if (document.activeElement !== form.elements.name) form.elements.name.value = want.name || "";
    return run;
  }

  // Three significant digits in the unit that suits.
  function show(value, unit) {
    if (value === null || value === undefined) return "–";
    const scales = unit === "s" ? [[1, " s"], [1e-3, " ms"], [1e-6, " µs"], [1e-9, " ns"]]
      : unit === "bytes" ? [[2 ** 30, " GiB"], [2 ** 20, " MiB"], [2 ** 10, " KiB"], [1, " B"]]
      : [[1e6, "M /s"], [1e3, "k /s"], [1, " /s"]];
    const [scale, name] = scales.find(([least]) => Math.abs(value) >= least * 0.9995) || scales[scales.length - 1];
    const number = value / scale;
    const digits = number === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(number))));
    return number.toFixed(Math.min(digits, 3)) + name;
  }

  const percent = (share) => (share * 100).toFixed(share < 0.0995 ? 1 : 0) + "%";
  const ratio = (value) => "×" + value.toPrecision(value < 10 ? 4 : 3);
  const limits = (three) => three[1] === null ? "no interval" : three[1].toPrecision(3) + "–" + three[2].toPrecision(3);
  const between = (three, how) => three[1] === null ? "no interval" : how(three[1]) + " to " + how(three[2]);

  // The same names that the words of the page have.
  function kept(one) {
    const field = form.elements;
    return (!field.language.value || one.language === field.language.value)
      && (!field.style.value || one.style === field.style.value)
      && (!field.name.value || one.name.includes(field.name.value.toLowerCase()));
  }

  function order(primary, metric) {
    const value = (one) => {
      const figure = one.figures[metric.name];
      if (!figure || one.fate) return Infinity;
      return metric.more ? -figure[0] : figure[0];
    };
    const place = (one) => primary && one.rank ? one.rank[0] * 1e6 + one.rank[1] : primary ? 1e12 : 0;
    return (a, b) => place(a) - place(b) || value(a) - value(b) || (a.name < b.name ? -1 : 1);
  }

  // Rows have the same mark on the left as long as there is one rank that all of them may have. They are sorted by the
  // first rank that each may have, so that rank is one that the ranks of all of them reach. It is not enough that
  // neighbours overlap: in 1–2, 2–3, 3–4 the first is better than the last.
  function ties(rows) {
    let mark = 0;
    let reach = 0;
    return rows.map((one) => {
      if (!one.rank) return null;
      const tied = one.rank[0] <= reach;
      if (!tied) mark += 1;
      reach = tied ? Math.min(reach, one.rank[1]) : one.rank[1];
      return mark;
    });
  }

  const competes = (one, metric) => !one.aside.includes(metric.name);

  // Contenders that can be the best; if none competes, all that have a figure.
  function rivals(group, metric) {
    const all = group.contenders.filter((one) => !one.fate && one.figures[metric.name]);
    const some = all.filter((one) => competes(one, metric));
    return some.length || group.apart ? some : all;
  }

  function bar(figure, best, metric) {
    const share = (value) => Math.max(0, Math.min(1, metric.more ? value / best : best / value));
    const track = make("span", null, "track");
    const fill = make("i");
    fill.style.width = share(figure[0]) * 100 + "%";
    track.append(fill);
    if (figure[1] !== null) {
      const ends = [share(figure[1]), share(figure[2])].sort((a, b) => a - b);
      const range = make("b");
      range.style.left = ends[0] * 100 + "%";
      range.style.width = Math.max(0, ends[1] - ends[0]) * 100 + "%";
      track.append(range);
    }
    return track;
  }

  function table(group, other) {
    const wanted = form.elements.metric.value || group.primary;
    const metric = group.metrics.find((one) => one.name === wanted);
    const primary = metric && metric.name === group.primary;
    const rows = group.contenders.filter(kept);
    if (!metric && !rows.some((one) => one.fate)) return null;
    const named = metric || { name: "", title: "figure", unit: "s", more: false };
    rows.sort(order(primary, named));
    const marks = ties(rows);
    // Percentages are of the best of all that compete, not only of those that match the filters.
    const field = rivals(group, named);
    const figures = field.map((one) => one.figures[named.name][0]);
    const best = named.more ? Math.max(...figures) : Math.min(...figures);
    const floor = group.contenders.find((one) => one.name === group.floor);
    const base = floor && floor.figures[named.name];
    const head = ["rank", "contender", "language", "style", named.title, "of the best", "bar", "to the floor",
      "to " + (group.baseline || "baseline"), "verdict"];
    if (other) head.push("beside", "change");
    const out = make("table");
    const titles = make("tr");
    head.forEach((text, column) => titles.append(heading(out, text, column)));
    out.append(make("thead"), make("tbody"));
    out.tHead.append(titles);
    rows.forEach((one, index) => out.tBodies[0].append(row(one, {
      named, primary, best, base, other,
      rival: field.includes(one),
      baseline: one.name === group.baseline,
      mark: marks[index],
    })));
    return out;
  }

  // A heading that sorts: a click, or the keyboard.
  function heading(table, text, column) {
    const made = make("th", null, NUMBERS.includes(column) ? "number" : "");
    const button = make("button", text);
    made.scope = "col";
    button.type = "button";
    button.addEventListener("click", () => sort(table, made, column));
    made.append(button);
    return made;
  }

  // By what the cell holds; one that holds nothing comes last.
  function sort(table, title, column) {
    const up = title.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    title.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (line) => {
      const cell = line.cells[column];
      if (!cell || cell.colSpan > 1 || cell.dataset.key === "") return null;
      return cell.dataset.key === undefined ? cell.textContent : Number(cell.dataset.key);
    };
    const order = (a, b) => typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
    const lines = [...table.tBodies[0].rows].map((line) => [key(line), line]);
    lines.sort(([a], [b]) => a === null || b === null ? (a === null) - (b === null) : (up ? 1 : -1) * order(a, b));
    table.tBodies[0].append(...lines.map(([, line]) => line));
  }

  function row(one, { named, primary, best, base, rival, baseline, other, mark }) {
    const line = make("tr");
    // `key`: what the column is sorted by, if not by its text; null of a cell without it.
    const cell = (text, name, hover, key) => {
      const made = make("td", text, name);
      if (key !== undefined) made.dataset.key = key === null ? "" : key;
      if (hover) made.title = hover;
      line.append(made);
      return made;
    };
    cell(primary && one.rank ? (one.rank[0] === one.rank[1] ? one.rank[0] : one.rank.join("–")) : "–",
      "tie" + (mark && primary ? (mark % 2 ? " odd" : " even") : ""), "first and last rank that it may have",
      primary && one.rank ? one.rank[0] + one.rank[1] / 1e4 : null);
    const name = cell(one.name, "name", one.summary);
    cell(one.language);
    cell(one.style);
    const figure = one.figures[named.name];
    if (one.fate || !figure) {
      const why = cell(one.fate || "no such figure", one.fate ? "wide fate" : "wide", one.reason);
      why.colSpan = other ? 8 : 6;
      return line;
    }
    const share = rival ? (named.more ? figure[0] / best : best / figure[0]) : null;
    cell(show(figure[0], named.unit), "number", between(figure, (value) => show(value, named.unit)), figure[0]);
    cell(rival ? percent(share) : "–", "number", rival ? "" : "it does not compete on this figure", share);
    cell(null, "", "", share).append(...(rival ? [bar(figure, best, named)] : []));
    cell(base ? ratio(figure[0] / base[0]) : "–", "number", "", base ? figure[0] / base[0] : null);
    const judged = primary && one.ratio && one.verdict;
    cell(judged ? ratio(one.ratio[0]) + " (" + limits(one.ratio) + ")" : "–", "number", "", judged ? one.ratio[0] : null);
    cell(judged ? one.verdict : baseline ? "the baseline" : "–", "said");
    if (one.bound) name.append(make("span", one.bound, "stamp"));
    if (other) {
      const same = other.contenders.find((its) => its.name === one.name);
      const its = same && same.figures[named.name];
      cell(its ? show(its[0], named.unit) : "–", "number", its ? between(its, (value) => show(value, named.unit)) : "",
        its ? its[0] : null);
      cell(its ? ratio(figure[0] / its[0]) : "–", "number", "two runs, not measured side by side: no verdict",
        its ? figure[0] / its[0] : null);
    }
    return line;
  }

  function link(to, text) {
    const made = make("a", text);
    made.href = to;
    return made;
  }

  function draw() {
    const run = fill();
    tables.replaceChildren();
    about.replaceChildren();
    if (!run) {
      about.textContent = "No run is in this site.";
      return;
    }
    const beside = runs.find((one) => one.id === form.elements.beside.value);
    about.append(run.machine + (run.complete ? "" : "; not complete") + ". ", link("runs/" + run.id + ".html", "The whole report"),
      ", ", link("slices/" + run.id + ".csv", "every raw slice"), ".");
    if (beside) about.append(" Beside: " + beside.date + ", " + beside.machine + "; there is no verdict between runs that were not measured side by side.");
    for (const group of run.groups) {
      if (form.elements.group.value && form.elements.group.value !== group.title) continue;
      const other = beside && beside.groups.find((its) => its.title === group.title);
      const drawn = table(group, other);
      if (!drawn || !drawn.tBodies[0].rows.length) continue;
      const scroll = make("div", null, "scroll");
      scroll.append(drawn);
      tables.append(make("h2", group.title), ...(group.told || []).map((text) => make("p", text, "told")),
        make("p", group.summary, "soft"), scroll, make("p", (group.grounds ? "Each verdict: " + group.grounds + ". Contenders with the same mark on the left may share a rank; those whose ranks do not overlap are distinguishable. " : "") + (group.about ? group.about + " " : "") + "Placement: " + group.placement + ".", "soft"));
    }
    if (!tables.children.length) tables.append(make("p", "No contender matches: widen the filters."));
    reach();
    document.documentElement.dataset.drawn = String(tables.querySelectorAll("tbody tr").length);
  }

  // A table that is wider than the page is scrolled by the keyboard, too.
  function reach() {
    const boxes = [...tables.querySelectorAll(".scroll")];
    const wide = boxes.map((box) => box.scrollWidth > box.clientWidth);
    const means = { tabindex: "0", role: "group", "aria-label": "a table that scrolls sideways" };
    boxes.forEach((box, index) => {
      for (const [name, value] of Object.entries(means)) {
        if (wide[index]) box.setAttribute(name, value);
        else box.removeAttribute(name);
      }
    });
  }

  form.addEventListener("input", remember);
  addEventListener("resize", reach);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", draw);
  draw();
})();
