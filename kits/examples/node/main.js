'use strict';
// One job without a size, two with, and a command: what every kit's example does.

const { Probe, number } = require('./with/node/probe.js');

function unhex(word) {
  if (!/^([0-9a-f]{2})*$/.test(word)) throw new Error('hexadecimal digits were expected');
  return Buffer.from(word, 'hex');
}

new Probe()
  .job(64, (i) => Buffer.from(String(i * 7919)))
  .sized(1, 7, (i) => Buffer.alloc(i, 97 + i))
  .sized(8, 7, (i) => number(i - 1))
  .command('twice', (word) => Buffer.concat([unhex(word), unhex(word)]))
  .only(process.argv[2])
  .serve();
