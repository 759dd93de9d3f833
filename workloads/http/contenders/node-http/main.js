"use strict";
// FrameworkBenchmarks' tests on Node's http module.

const http = require("node:http");
const { Pool } = require("pg");

const BACKLOG = 4096;
const ROWS = 10000;
const CONNECTIONS = 16;
const SELECT = "SELECT id, randomnumber FROM world WHERE id = $1";

const uri = process.env.POSTGRESQL;
const pool = uri ? new Pool({ connectionString: uri, max: CONNECTIONS, idleTimeoutMillis: 0 }) : undefined;

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

// A statement with a name is prepared once a connection.
async function randomRow() {
  const id = 1 + Math.floor(Math.random() * ROWS);
  const { rows } = await pool.query({ name: "world", text: SELECT, values: [id] });
  return { id: rows[0].id, randomNumber: rows[0].randomnumber };
}

function handle(request, response) {
  switch (request.url) {
    case "/plaintext":
      return send(response, "text/plain", "Hello, World!");
    case "/json":
      return sendJson(response, { message: "Hello, World!" });
    case "/db":
      if (pool) {
        return randomRow().then(
          (row) => sendJson(response, row),
          (error) => fail(response, 500, String(error)),
        );
      }
  }
  fail(response, 404, "not found");
}

const server = http.createServer(handle);
// By default, connections that were idle for 5 s are closed, as those of a frozen contender.
server.keepAliveTimeout = 3600 * 1000;
server.listen(Number(process.argv[2]), "127.0.0.1", BACKLOG);
