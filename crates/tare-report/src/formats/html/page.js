// Sorting by a click on a heading, and a filter above long tables. Everything else works without scripts.
(function () {
  "use strict";
  function key(row, column) {
    var cell = row.cells[column];
    var number = cell.getAttribute("data-key");
    return number === null ? cell.textContent.trim() : Number(number);
  }
  function order(a, b) {
    if (typeof a === "number") { return a - b; }
    return a.localeCompare(b);
  }
  function sort(table, column, heading) {
    var body = table.tBodies[0];
    var up = heading.getAttribute("aria-sort") !== "ascending";
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (th) { th.removeAttribute("aria-sort"); });
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    Array.prototype.slice.call(body.rows)
      .sort(function (a, b) { return (up ? 1 : -1) * order(key(a, column), key(b, column)); })
      .forEach(function (row) { body.appendChild(row); });
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (heading, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      heading.textContent = "";
      heading.appendChild(button);
      button.addEventListener("click", function () { sort(table, column, heading); });
    });
  });
  document.querySelectorAll("table.filterable").forEach(function (table) {
    var input = document.createElement("input");
    input.className = "filter";
    input.type = "search";
    input.placeholder = "filter: node, latency, slower …";
    input.setAttribute("aria-label", "show only rows that hold this text");
    input.addEventListener("input", function () {
      var wanted = input.value.trim().toLowerCase();
      Array.prototype.forEach.call(table.tBodies[0].rows, function (row) {
        row.hidden = row.textContent.toLowerCase().indexOf(wanted) === -1;
      });
    });
    table.parentNode.parentNode.insertBefore(input, table.parentNode);
  });
}());
