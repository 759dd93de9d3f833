"use strict";
// FrameworkBenchmarks' tests on Node's http module; over TLS on https, and by HTTP/2 on http2.

const { readFileSync } = require("node:fs");
const http = require("node:http");
const http2 = require("node:http2");
const https = require("node:https");
const { Database } = require("./database");

const BACKLOG = 4096;

const uri = process.env.POSTGRESQL;
const database = uri ? new Database(uri) : undefined;

// Node adds Date.
function send(response, type, body) {
  response.writeHead(200, {
    Server: "node",
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}

function sendJson(response, value) {
  send(response, "application/json", JSON.stringify(value));
}

function fail(response, status, why) {
  response.writeHead(status, { "Content-Type": "text/plain" });
  response.end(why);
}

// How many rows a query asks for: 1 to 500, and 1 if it is no number.
function count(query, name) {
  const number = Number.parseInt(new URLSearchParams(query).get(name), 10);
  return Math.min(Math.max(number || 1, 1), 500);
}

// What a path of the database's answers with; undefined: it is none of them.
function ofDatabase(path, query) {
  switch (path) {
    case "/db":
      return database.randomRow();
    case "/queries":
      return database.randomRows(count(query, "queries"));
    case "/cached-queries":
      return database.cachedRows(count(query, "count"));
    case "/updates":
      return database.updatedRows(count(query, "queries"));
  }
}

async function answer(response, path, query) {
  try {
    if (path === "/fortunes") {
      return send(response, "text/html; charset=utf-8", await database.fortunes());
    }
    const found = ofDatabase(path, query);
    return found ? sendJson(response, await found) : fail(response, 404, "not found");
  } catch (error) {
    return fail(response, 500, String(error));
  }
}

function handle(request, response) {
  switch (request.url) {
    case "/plaintext":
      return send(response, "text/plain", "Hello, World!");
    case "/json":
      return sendJson(response, { message: "Hello, World!" });
  }
  if (!database) {
    return fail(response, 404, "not found");
  }
  const [path, query] = request.url.split("?", 2);
  return answer(response, path, query);
}

function create(scheme, certificate, key) {
  const secured = () => ({ cert: readFileSync(certificate), key: readFileSync(key) });
  switch (scheme) {
    case "https":
      return https.createServer(secured(), handle);
    case "h2c":
      return http2.createServer(handle);
    case "h2":
      return http2.createSecureServer(secured(), handle);
    default:
      return http.createServer(handle);
  }
}

async function start([port, scheme, certificate, key]) {
  const server = create(scheme, certificate, key);
  // By default, connections that were idle for 5 s are closed, as those of a frozen contender.
  server.keepAliveTimeout = 3600 * 1000;
  await database?.open();
  server.listen(Number(port), process.env.HOST || "127.0.0.1", BACKLOG);
}

start(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exit(1);
});
