'use strict';
// Records to JSON by an encoder that is compiled from a schema.

const fastJson = require('fast-json-stringify');

const { Probe } = require('./with/node/probe.js');
const { SIZES, records, sizeOfCase } = require('./with/types-node/records.js');

const probe = new Probe();
for (const size of SIZES) {
  const inputs = records(size);
  const names = Object.keys(inputs[0]);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
  const text = fastJson({ type: 'object', properties, required: names });
  probe.sized(size, inputs.length, (i) => Buffer.from(text(inputs[i])));
}
probe.only(sizeOfCase()).serve();
