// The ways from a request to the answer to it: in place, through bytes, through pipes.
import { readSync, writeSync } from 'node:fs';
import { Message } from 'capnp-es';

export class Modes {
  constructor(exchange, packed) {
    this.exchange = exchange;
    this.packed = packed;
    this.format = packed ? 'capnp-packed' : 'capnp';
  }

  ask(input) {
    const message = new Message();
    this.exchange.ask(input, message.initRoot(this.exchange.Request));
    return message;
  }

  respond(request) {
    const message = new Message();
    this.exchange.serve(request.getRoot(this.exchange.Request), message.initRoot(this.exchange.Response));
    return message;
  }

  answer(response) {
    return this.exchange.answer(response.getRoot(this.exchange.Response));
  }

  write(message) {
    return new Uint8Array(this.packed ? message.toPackedArrayBuffer() : message.toArrayBuffer());
  }

  // object: both messages are read where they were built.
  inPlace(input) {
    return this.answer(this.respond(this.ask(input)));
  }

  // bytes, bytes-packed: both messages become bytes and are read from these.
  inBytes(input) {
    return this.read(this.write(this.ask(input)));
  }

  // The answer to a request in bytes.
  read(bytes) {
    const response = this.write(this.respond(new Message(bytes, this.packed)));
    return this.answer(new Message(response, this.packed));
  }

  // pipe, the client's side.
  client(out, answers) {
    return (input) => {
      send(out, this.write(this.ask(input)));
      const response = receive(answers);
      if (!response) throw new Error('the server is gone');
      return this.answer(new Message(response, false));
    };
  }

  // pipe, the server's side: until its input ends.
  serve(requests, out) {
    for (let bytes = receive(requests); bytes; bytes = receive(requests)) {
      send(out, this.write(this.respond(new Message(bytes, false))));
    }
  }
}

function send(pipe, bytes) {
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(pipe, bytes, sent);
}

// One message by its table of segments: their number less one, and the words of each.
function receive(pipe) {
  const head = fill(pipe, new Uint8Array(8), 0);
  if (!head) return undefined;
  const segments = new DataView(head.buffer).getUint32(0, true) + 1;
  const table = new Uint8Array(8 * Math.ceil((4 + 4 * segments) / 8));
  table.set(head);
  if (!fill(pipe, table, 8)) throw new Error('the message ends too early');
  const view = new DataView(table.buffer);
  let size = table.length;
  for (let i = 1; i <= segments; i++) size += 8 * view.getUint32(4 * i, true);
  const message = new Uint8Array(size);
  message.set(table);
  if (!fill(pipe, message, table.length)) throw new Error('the message ends too early');
  return message;
}

// Reads until the bytes are full; nothing where the pipe ends before.
function fill(pipe, bytes, from) {
  for (let at = from; at < bytes.length; ) {
    const read = readSync(pipe, bytes, at, bytes.length - at);
    if (read === 0) return undefined;
    at += read;
  }
  return bytes;
}
