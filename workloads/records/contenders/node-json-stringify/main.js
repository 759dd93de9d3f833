'use strict';
// Records to JSON by the engine's own encoder.

const { Probe } = require('./with/node/probe.js');
const { SIZES, records, sizeOfCase } = require('./with/types-node/records.js');

const probe = new Probe();
for (const size of SIZES) {
  const inputs = records(size);
  probe.sized(size, inputs.length, (i) => Buffer.from(JSON.stringify(inputs[i])));
}
probe.only(sizeOfCase()).serve();
