'use strict';
// The records of a case: their values, and how many fields they have.

const shapes = require('./shapes.js');

const SIZES = Object.keys(shapes).map(Number);

// Records in a job, and fields of the largest record: those of smaller ones are its first.
const RECORDS = 64;
const FIELDS = 50;

// The records of one size.
function records(size) {
  return Array.from({ length: RECORDS }, (_, record) => shapes[size]((field) => value(record, field)));
}

// The size of the case that the process was started for: `25-fields` has one, the sweep `fields` has none.
function sizeOfCase() {
  const [size] = (process.argv[2] ?? '').split('-');
  return /^[0-9]+$/.test(size) ? Number(size) : undefined;
}

// The value of a field of a record, as the workload's page has it: at most nine digits, so a Number holds it.
function value(record, field) {
  const z = splitmix64(BigInt(record * FIELDS + field));
  const power = 10n ** (z % 9n);
  const least = power === 1n ? 0n : power;
  const magnitude = Number(least + ((z >> 8n) % (power * 10n - least)));
  return z >> 61n === 0n && magnitude > 0 ? -magnitude : magnitude;
}

// The output with that number, counted from 0, of the generator seeded with 1.
function splitmix64(number) {
  const cut = (n) => BigInt.asUintN(64, n);
  let z = cut(1n + (number + 1n) * 0x9e3779b97f4a7c15n);
  z = cut((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = cut((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}

module.exports = { SIZES, records, sizeOfCase };
