// main.mjs CASE ROLE: one case of the workload `capnp` on JSON.
import { openSync, readSync, writeSync } from 'node:fs';
import { EXCHANGES } from './exchanges.mjs';
import { KINDS } from './with/for-node/inputs.mjs';
import { Probe, number } from './with/node/probe.js';

const write = (value) => Buffer.from(JSON.stringify(value));
const parse = (bytes) => JSON.parse(bytes.toString());

// From a request's bytes to the answer, through the response's bytes.
function answer(exchange, request) {
  return exchange.answer(parse(write(exchange.serve(parse(request)))));
}

// The probe protocol, and three commands for the check: which format, a request as bytes, and the answer to a request
// that somebody else has written.
function probe(exchange, once) {
  new Probe()
    .job(KINDS, (input) => number(once(input)))
    .command('format', () => Buffer.from('json'))
    .command('bytes', (input) => write(exchange.ask(Number(input))))
    .command('read', (hex) => number(answer(exchange, unhex(hex))))
    .serve();
}

function unhex(hex) {
  if (!/^([0-9a-f]{2})*$/.test(hex)) throw new Error('an even number of hexadecimal digits was expected');
  return Buffer.from(hex, 'hex');
}

// JSON on a pipe: its length goes before it, in four bytes, little endian.
function send(pipe, bytes) {
  const message = Buffer.allocUnsafe(4 + bytes.length);
  message.writeUInt32LE(bytes.length, 0);
  bytes.copy(message, 4);
  for (let sent = 0; sent < message.length; ) sent += writeSync(pipe, message, sent);
}

function receive(pipe) {
  const head = fill(pipe, Buffer.allocUnsafe(4));
  return head && fill(pipe, Buffer.allocUnsafe(head.readUInt32LE(0)));
}

// Reads until the buffer is full; nothing where the pipe ends before.
function fill(pipe, buffer) {
  for (let at = 0; at < buffer.length; ) {
    const read = readSync(pipe, buffer, at, buffer.length - at);
    if (read === 0) return undefined;
    at += read;
  }
  return buffer;
}

function client(exchange) {
  const out = openSync(process.env.TARE_PIPE_OUT, 'w');
  const answers = openSync(process.env.TARE_PIPE_IN, 'r');
  probe(exchange, (input) => {
    send(out, write(exchange.ask(input)));
    const response = receive(answers);
    if (!response) throw new Error('the server is gone');
    return exchange.answer(parse(response));
  });
}

function serve(exchange) {
  for (let request = receive(0); request; request = receive(0)) send(1, write(exchange.serve(parse(request))));
}

function play(name, role) {
  const [job, mode] = name.split('-');
  const exchange = EXCHANGES[job];
  if (mode === 'bytes') probe(exchange, (input) => answer(exchange, write(exchange.ask(input))));
  else if (role === 'server') serve(exchange);
  else client(exchange);
}

if (process.argv.length !== 4) throw new Error('usage: main.mjs CASE ROLE');
play(process.argv[2], process.argv[3]);
