// main.mjs CASE ROLE: one case of the workload `capnp` on capnp-es.
import { openSync } from 'node:fs';
import { EXCHANGES } from './exchanges.mjs';
import { Modes } from './modes.mjs';
import { KINDS } from './with/for-node/inputs.mjs';
import { Probe, number } from './with/node/probe.js';

// The probe protocol, and three commands for the check: which format, a request as bytes, and the answer to a request
// that somebody else has written.
function probe(modes, once) {
  new Probe()
    .job(KINDS, (input) => number(once(input)))
    .command('format', () => Buffer.from(modes.format))
    .command('bytes', (input) => modes.write(modes.ask(Number(input))))
    .command('read', (hex) => number(modes.read(unhex(hex))))
    .serve();
}

function unhex(hex) {
  if (!/^([0-9a-f]{2})*$/.test(hex)) throw new Error('an even number of hexadecimal digits was expected');
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

function play(name, role) {
  const [job, ...rest] = name.split('-');
  const mode = rest.join('-');
  const modes = new Modes(EXCHANGES[job], mode === 'bytes-packed');
  if (mode === 'object') return probe(modes, (input) => modes.inPlace(input));
  if (mode !== 'pipe') return probe(modes, (input) => modes.inBytes(input));
  if (role === 'server') return modes.serve(0, 1);
  const out = openSync(process.env.TARE_PIPE_OUT, 'w');
  return probe(modes, modes.client(out, openSync(process.env.TARE_PIPE_IN, 'r')));
}

if (process.argv.length !== 4) throw new Error('usage: main.mjs CASE ROLE');
play(process.argv[2], process.argv[3]);
