'use strict';
// The probe protocol for Node.js: what stands between tare and the code under test.
//
// A contender says `with = ["kits/node"]` in its manifest and
//
//     const { Probe } = require('./with/node/probe.js');
//
//     const inputs = Array.from({ length: 64 }, (_, i) => ({ number: i * 7919 }));
//
//     new Probe()
//       .job(64, (i) => Buffer.from(JSON.stringify(inputs[i])))
//       .serve();
//
// Where the case is swept, each size is a job of its own: `.sized(25, 64, (i) => …)`. A job makes bytes (a Buffer or
// another Uint8Array), anew each time; a number is `number(value)`, from a Number or a BigInt. Further commands
// (`read HEX`) are `.command('read', (argument) => …)`.

class Probe {
  #jobs = new Map();
  #commands = new Map();

  // The job of a case without sizes: from the number of an input, below `inputs`, to its result.
  job(inputs, result) {
    return this.#add('', inputs, result);
  }

  // The job for one size of a swept case.
  sized(size, inputs, result) {
    return this.#add(String(size), inputs, result);
  }

  // For a case that is one size of a sweep: of all jobs that of this size remains, as the job without a size. For the
  // sweep itself (no size) all remain.
  only(size) {
    if (size === undefined) return this;
    const kept = this.#jobs.get(String(size));
    this.#jobs = new Map(kept ? [['', kept]] : []);
    return this;
  }

  // A further command of one argument: from the word to bytes; whatever it throws is answered as an error.
  command(name, answer) {
    this.#commands.set(name, answer);
    return this;
  }

  // Answers each line of standard input with one line on standard output, until the input ends.
  async serve() {
    let rest = '';
    process.stdin.setEncoding('utf8');
    for await (const chunk of process.stdin) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) process.stdout.write(`${this.#reply(line)}\n`);
    }
  }

  #add(size, inputs, result) {
    this.#jobs.set(size, { inputs, result, loop: loopOfItsOwn(this.#jobs.size) });
    return this;
  }

  #reply(line) {
    try {
      return `ok ${this.#answer(line)}`;
    } catch (why) {
      return `error ${String(why).replace(/[\r\n]+/g, ' ')}`;
    }
  }

  #answer(line) {
    const [verb, ...words] = line.split(' ');
    const two = words.length === 1 || words.length === 2;
    if (verb === 'run' && two) return run(parse(words[0]), this.#find(words[1]));
    if (verb === 'show' && two) return show(parse(words[0]), this.#find(words[1]));
    const answer = this.#commands.get(verb);
    if (answer && words.length === 1) return hex(answer(words[0]));
    throw new Error(`${JSON.stringify(line)} is none of: run N [SIZE], show I [SIZE]`);
  }

  #find(word) {
    const size = word === undefined ? '' : String(parse(word));
    const job = this.#jobs.get(size);
    if (!job) throw new Error(`there is no job of size "${size}"`);
    return job;
  }
}

// V8 keeps what it learns about a call site with the function's source text, so each job has a loop of its own: else
// the jobs of a sweep would share one call site, and none would be inlined there.
function loopOfItsOwn(number) {
  return new Function('count', 'inputs', 'result', 'term', `'use strict';
    // The loop of job ${number}.
    let sum = 0;
    let input = 0;
    for (let left = count; left > 0; left--) {
      sum = (sum + term(result(input))) | 0;
      input++;
      if (input === inputs) input = 0;
    }
    return sum;`);
}

function run(count, { inputs, result, loop }) {
  const begin = process.hrtime.bigint();
  const sum = loop(count, inputs, result, term);
  const nanos = process.hrtime.bigint() - begin;
  return `${nanos} ${sum >>> 0}`;
}

function show(input, { inputs, result }) {
  if (input >= inputs) throw new Error(`there is no input ${input}`);
  return hex(result(input));
}

// What one result adds to the checksum: from its length and its first and last four bytes.
function term(bytes) {
  const length = bytes.length;
  if (length < 4) return termOfShort(bytes);
  const first = bytes[0] | (bytes[1] << 8) | (bytes[2] << 16) | (bytes[3] << 24);
  const last = bytes[length - 4] | (bytes[length - 3] << 8) | (bytes[length - 2] << 16) | (bytes[length - 1] << 24);
  return (Math.imul(length, 2654435761) + Math.imul(first, 2246822519) + Math.imul(last, 3266489917)) | 0;
}

// Padded with zero bytes, the first four are the last four.
function termOfShort(bytes) {
  const word = bytes.reduce((word, byte, at) => word | (byte << (8 * at)), 0);
  return (Math.imul(bytes.length, 2654435761) + Math.imul(word, 2246822519) + Math.imul(word, 3266489917)) | 0;
}

// A result that is a number: its eight bytes, little endian. A BigInt may be negative.
function number(value) {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return bytes;
}

function hex(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}

// A number of 64 bits; those over 2^53, which a loop here cannot count, are refused by name.
function parse(word) {
  if (!/^[0-9]{1,40}$/.test(word)) throw new Error(`${JSON.stringify(word)} is no number of 64 bits`);
  const value = Number(word);
  if (!Number.isSafeInteger(value)) throw new Error(`${word} is more than JavaScript counts exactly`);
  return value;
}

module.exports = { Probe, number, term };
