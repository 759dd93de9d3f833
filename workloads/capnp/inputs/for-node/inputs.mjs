// What goes into the messages of the workload `capnp`: the stated generator, and plain values made from it.
// The README beside workload.toml says which number is drawn when; every language has this file in its own words.

// Inputs of each job; iteration i is on input i mod KINDS.
export const KINDS = 64;
export const CARSALES = 1;
export const CATRANK = 2;
export const EVAL = 3;

// The finaliser of MurmurHash3.
function mix(h) {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

// Marsaglia's xorshift128 on 32-bit words, its state mixed from the job and the number of the input.
export class Random {
  constructor(job, input) {
    const first = 2014 * 65536 + 1024 * job + 4 * input;
    this.x = mix(first);
    this.y = mix(first + 1);
    this.z = mix(first + 2);
    this.w = mix(first + 3);
  }

  next() {
    const t = this.x ^ (this.x << 11);
    this.x = this.y;
    this.y = this.z;
    this.z = this.w;
    this.w ^= (this.w >>> 19) ^ t ^ (t >>> 8);
    return this.w >>> 0;
  }

  below(limit) {
    return this.next() % limit;
  }
}

const MAKES = ['Altair', 'Bellatrix', 'Capella', 'Deneb', 'Electra', 'Fomalhaut', 'Gemma', 'Hadar'];
const MODELS = ['Kestrel', 'Lynx', 'Marten', 'Nightjar', 'Otter', 'Plover', 'Quail 3', 'Redstart GT'];

export function carCount(random) {
  return 1 + random.below(200);
}

// A car, before it is in any message.
export function nextCar(random) {
  const make = MAKES[random.below(8)];
  const model = MODELS[random.below(8)];
  const color = random.below(8);
  const seats = 2 + random.below(6);
  const doors = 2 + random.below(3);
  const diameter = 14 + random.below(9);
  const flags = random.next();
  const pressure = [0, 0, 0, 0].map(() => 24 + random.below(128) / 8);
  const length = 170 + random.below(150);
  const width = 48 + random.below(36);
  const height = 54 + random.below(48);
  const weight = 800 + random.below(4000);
  const horsepower = 50 + random.below(450);
  const cylinders = 3 + random.below(10);
  const cc = 800 + random.below(10000);
  const fuelCapacity = 8 + random.below(256) / 8;
  const fuelLevel = fuelCapacity * (random.below(257) / 256);
  const cupHolders = random.below(13);
  return {
    make, model, color, seats, doors, diameter, pressure, length, width, height, weight, horsepower, cylinders, cc,
    fuelCapacity, fuelLevel, cupHolders,
    snowTires: (flags & 1) !== 0,
    usesGas: (flags & 2) !== 0,
    usesElectric: (flags & 4) !== 0,
    powerWindows: (flags & 8) !== 0,
    powerSteering: (flags & 16) !== 0,
    cruiseControl: (flags & 32) !== 0,
    navSystem: (flags & 64) !== 0,
  };
}

const PHRASES = [
  'the brook ran on ', 'a catkin fell ', 'under dogma ', 'two larks rose ', 'moss grew ', 'scatter the seed ',
  'by the pebble shore ', 'reeds bent low ', 'no bobcat, only rain ', 'hotdog stands closed ', 'fern and stone ',
  'the wind turned ', 'nobody spoke ', 'category of clouds ', 'late light ', 'an endogenous murmur ',
];

// The search results of one input.
export class Hits {
  #random;
  #factor;
  #offset;
  #made = 0;

  constructor(random) {
    this.#random = random;
    this.count = 1 + random.below(1000);
    this.#factor = 1 + random.below(1008);
    this.#offset = random.below(1009);
  }

  next() {
    const score = (this.#factor * this.#made++ + this.#offset) % 1009;
    let url = 'http://example.com/';
    for (let blocks = 1 + this.#random.below(12); blocks > 0; blocks--) {
      url += this.#random.next().toString(16).padStart(8, '0');
    }
    const shape = this.#random.next();
    let snippet = ' ' + this.#phrases(shape & 7);
    if (((shape >>> 9) & 7) === 0) snippet += 'cat ';
    snippet += this.#phrases((shape >>> 3) & 7);
    if (((shape >>> 12) & 7) === 0) snippet += 'dog ';
    snippet += this.#phrases((shape >>> 6) & 7);
    return { url, score, snippet };
  }

  #phrases(count) {
    const choices = this.#random.next();
    let text = '';
    for (let k = 0; k < count; k++) text += PHRASES[(choices >>> (4 * k)) & 15];
    return text;
  }
}

export function operation(random) {
  return random.below(5);
}

export function isLeaf(random, depth) {
  return random.below(8) < depth;
}

export function number(random) {
  return 1 + random.below(128);
}

// Numbers wrap at 32 bits; dividing by zero gives the largest one.
export function apply(operation, left, right) {
  switch (operation) {
    case 0:
      return (left + right) | 0;
    case 1:
      return (left - right) | 0;
    case 2:
      return Math.imul(left, right);
    case 3:
      return right === 0 ? 0x7fffffff : (left / right) | 0;
    default:
      return right === 0 ? 0x7fffffff : left % right | 0;
  }
}
