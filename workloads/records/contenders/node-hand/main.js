'use strict';
// Records to JSON by hand.

const encode = require('./encode.js');
const { Probe } = require('./with/node/probe.js');
const { SIZES, records, sizeOfCase } = require('./with/types-node/records.js');

const probe = new Probe();
for (const size of SIZES) {
  const inputs = records(size);
  const text = encode[size];
  probe.sized(size, inputs.length, (i) => Buffer.from(text(inputs[i])));
}
probe.only(sizeOfCase()).serve();
