"use strict";
// The tests of a database, by PostgreSQL. Statements with a name are prepared once a connection.

const { Eta } = require("eta");
const { Pool } = require("pg");

const ROWS = 10000;
const CONNECTIONS = 16;
const SELECT = "SELECT id, randomnumber FROM world WHERE id = $1";
const UPDATE =
  "UPDATE world SET randomnumber = new.number " +
  "FROM unnest($1::int4[], $2::int4[]) AS new (id, number) WHERE world.id = new.id";

const eta = new Eta({ autoTrim: false });
const page = eta.compile(
  "<!DOCTYPE html><html><head><title>Fortunes</title></head><body><table>" +
    "<tr><th>id</th><th>message</th></tr>" +
    "<% for (const { id, message } of it.fortunes) { %>" +
    "<tr><td><%= id %></td><td><%= message %></td></tr>" +
    "<% } %></table></body></html>",
);

function randomId() {
  return 1 + Math.floor(Math.random() * ROWS);
}

class Database {
  // Rows of the table `cachedworld`, by id from 1.
  #cached = [];

  constructor(uri) {
    this.pool = new Pool({ connectionString: uri, max: CONNECTIONS, idleTimeoutMillis: 0 });
  }

  async open() {
    const { rows } = await this.pool.query("SELECT id, randomnumber FROM cachedworld ORDER BY id");
    this.#cached = rows.map(({ id, randomnumber }) => ({ id, randomNumber: randomnumber }));
  }

  async #row(id) {
    const { rows } = await this.pool.query({ name: "world", text: SELECT, values: [id] });
    return { id: rows[0].id, randomNumber: rows[0].randomnumber };
  }

  randomRow() {
    return this.#row(randomId());
  }

  // Each by a query of its own.
  randomRows(count) {
    return Promise.all(Array.from({ length: count }, () => this.randomRow()));
  }

  // Rows are all different, and written in the order of their ids, so that no two requests wait for each other.
  async updatedRows(count) {
    const ids = new Set();
    while (ids.size < count) {
      ids.add(randomId());
    }
    const sorted = [...ids].sort((a, b) => a - b);
    const rows = await Promise.all(sorted.map((id) => this.#row(id)));
    for (const row of rows) {
      row.randomNumber = randomId();
    }
    const numbers = rows.map((row) => row.randomNumber);
    await this.pool.query({ name: "update", text: UPDATE, values: [sorted, numbers] });
    return rows;
  }

  cachedRows(count) {
    return Array.from({ length: count }, () => this.#cached[randomId() - 1]);
  }

  // The page of fortunes.
  async fortunes() {
    const query = { name: "fortunes", text: "SELECT id, message FROM fortune" };
    const { rows: fortunes } = await this.pool.query(query);
    fortunes.push({ id: 0, message: "Additional fortune added at request time." });
    fortunes.sort((a, b) => (a.message < b.message ? -1 : 1));
    return eta.render(page, { fortunes });
  }
}

module.exports = { Database };
