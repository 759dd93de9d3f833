// Tables sort by their headings, long ones can be filtered, and charts can be saved and copied. Everything else works without
// scripts. There is neither a less-than sign nor an ampersand here, so that the page is XML, too.
(function () {
  "use strict";
  var SVG = "http://www.w3.org/2000/svg";
  function each(list, act) { Array.prototype.forEach.call(list, act); }
  function all(selector, act) { each(document.querySelectorAll(selector), act); }

  function key(row, column) {
    var cell = row.cells[column];
    var number = cell.getAttribute("data-key");
    return number === null ? cell.textContent.trim() : Number(number);
  }
  function order(a, b) {
    return typeof a === "number" ? a - b : a.localeCompare(b);
  }
  function sort(table, column, heading) {
    var body = table.tBodies[0];
    var up = heading.getAttribute("aria-sort") !== "ascending";
    each(table.tHead.rows[0].cells, function (th) { th.removeAttribute("aria-sort"); });
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    Array.prototype.slice.call(body.rows)
      .sort(function (a, b) { return (up ? 1 : -1) * order(key(a, column), key(b, column)); })
      .forEach(function (row) { body.appendChild(row); });
  }
  all("table.sortable", function (table) {
    each(table.tHead.rows[0].cells, function (heading, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      heading.textContent = "";
      heading.appendChild(button);
      button.addEventListener("click", function () { sort(table, column, heading); });
    });
  });

  all("table.filterable", function (table) {
    var input = document.createElement("input");
    input.className = "filter";
    input.type = "search";
    input.placeholder = "filter: node, latency, slower …";
    input.setAttribute("aria-label", "show only rows that hold this text");
    input.addEventListener("input", function () {
      var wanted = input.value.trim().toLowerCase();
      each(table.tBodies[0].rows, function (row) {
        row.hidden = row.textContent.toLowerCase().indexOf(wanted) === -1;
      });
    });
    table.parentNode.parentNode.insertBefore(input, table.parentNode);
  });

  // A table that is wider than the page is scrolled by the keyboard, too.
  function reach() {
    all(".scroll", function (box) {
      if (box.scrollWidth > box.clientWidth) {
        box.tabIndex = 0;
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", "a table that scrolls sideways");
      } else {
        ["tabindex", "role", "aria-label"].forEach(function (name) { box.removeAttribute(name); });
      }
    });
  }
  reach();
  window.addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true);

  function element(parent, name, attributes, text) {
    var made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    if (text) { made.textContent = text; }
    if (parent) { parent.appendChild(made); }
    return made;
  }
  function lines(text, room) {
    return text.trim().split(/\s+/).reduce(function (found, word) {
      var last = found.length - 1;
      if (last === -1) { return [word]; }
      if ((found[last].length + 1 + word.length) * 6.9 > room) { return found.concat(word); }
      found[last] += " " + word;
      return found;
    }, []);
  }
  // The chart as `tare report --format svg` writes it: with title, caption, style and ground.
  function standalone(figure) {
    var drawing = figure.querySelector("svg.wide");
    var title = drawing.getAttribute("aria-label");
    var box = drawing.viewBox.baseVal;
    var notes = lines(figure.querySelector("figcaption").textContent, box.width);
    var width = box.width + 48;
    var height = box.height + 88 + 16 * notes.length;
    var svg = element(null, "svg", {
      "class": "chart lone", role: "img", width: width, height: height, viewBox: "0 0 " + width + " " + height
    });
    element(svg, "title", {}, title);
    element(svg, "style", {}, document.getElementById("chart-style").textContent);
    element(svg, "rect", { "class": "ground", x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 8 });
    element(svg, "text", { "class": "title", x: 24, y: 34 }, title);
    var body = element(svg, "g", { transform: "translate(24 58)" });
    each(drawing.childNodes, function (node) { body.appendChild(node.cloneNode(true)); });
    notes.forEach(function (line, index) {
      element(svg, "text", { "class": "soft", x: 24, y: box.height + 80 + 16 * index }, line);
    });
    return { text: new XMLSerializer().serializeToString(svg), width: width, height: height };
  }
  // A promise of the chart as pixels, two for each of its own.
  function picture(chart) {
    return new Promise(function (done, failed) {
      var image = new Image();
      image.onload = function () {
        var canvas = document.createElement("canvas");
        canvas.width = 2 * chart.width;
        canvas.height = 2 * chart.height;
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        canvas.toBlob(function (blob) { if (blob) { done(blob); } else { failed(); } }, "image/png");
      };
      image.onerror = failed;
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(chart.text);
    });
  }
  function save(blob, name) {
    var link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 10000);
  }
  // What a button does may fail: the browser may refuse. Then it says so for a while.
  function tool(tools, name, about, done, act) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.setAttribute("aria-label", name + ": " + about);
    button.addEventListener("click", function () {
      act().then(function () { return done; }, function () { return "failed"; }).then(function (said) {
        button.textContent = said;
        setTimeout(function () { button.textContent = name; }, 2000);
      });
    });
    tools.appendChild(button);
  }
  all("figure", function (figure) {
    if (figure.querySelector("svg.wide") === null) { return; }
    var about = figure.querySelector("h3").textContent;
    var name = figure.closest("section").id + "-" + figure.className;
    var tools = document.createElement("p");
    tools.className = "tools";
    tools.setAttribute("aria-live", "polite");
    tool(tools, "SVG", "save " + about, "saved", function () {
      save(new Blob([standalone(figure).text], { type: "image/svg+xml" }), name + ".svg");
      return Promise.resolve();
    });
    tool(tools, "PNG", "save " + about, "saved", function () {
      return picture(standalone(figure)).then(function (blob) { save(blob, name + ".png"); });
    });
    // Not where the page came over plain HTTP.
    if (window.ClipboardItem ? navigator.clipboard : false) {
      tool(tools, "Copy", about, "copied", function () {
        var item = new ClipboardItem({ "image/png": picture(standalone(figure)) });
        return navigator.clipboard.write([item]);
      });
    }
    figure.appendChild(tools);
  });
}());
