"use strict";
// What is common to the contenders on Node's http module: the query that asks for a page, and a server.

const http = require("node:http");

const BACKLOG = 4096;
const MAX_ROWS = 10000;
const MAX_COLUMNS = 100;

// A parameter that must be a number from 1 to `most`; undefined where it is none.
function number(text, most) {
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= most ? value : undefined;
}

// Its bytes are made once: asked for the length of a string and then given the string, Node would go through it twice.
function send(response, status, type, text) {
  const body = Buffer.from(text);
  response.writeHead(status, { "Content-Type": type, "Content-Length": body.length });
  response.end(body);
}

// Serves what `page(rows, columns)` makes, a string, on the port of the command line.
function serve(page) {
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    if (pathname !== "/") return send(response, 404, "text/plain", "not found\n");
    const rows = number(searchParams.get("rows"), MAX_ROWS);
    const columns = number(searchParams.get("columns") ?? "50", MAX_COLUMNS);
    if (!rows || !columns) return send(response, 400, "text/plain", "rows=1 to 10000, columns=1 to 100\n");
    send(response, 200, "text/html; charset=utf-8", page(rows, columns));
  });
  // By default, connections that were idle for 5 s are closed, as those of a frozen contender.
  server.keepAliveTimeout = 3600 * 1000;
  server.listen(Number(process.argv[2]), "127.0.0.1", BACKLOG);
}

module.exports = { serve };
