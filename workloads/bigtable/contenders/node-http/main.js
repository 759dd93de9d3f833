"use strict";
// The page by template literals.

const { serve } = require("./with/serve.js");

function row(columns) {
  let cells = "";
  for (let column = 1; column <= columns; column++) cells += `<td>${column}</td>`;
  return `<tr>${cells}</tr>\n`;
}

function page(rows, columns) {
  let body = "";
  for (let i = 0; i < rows; i++) body += row(columns);
  return `<table>${body}</table>`;
}

serve(page);
