// The three jobs on plain objects: what the client asks, what the server does, and what the client reads.
import * as inputs from './with/for-node/inputs.mjs';

// The value of all cars in a parking lot.
const carsales = {
  ask(input) {
    const random = new inputs.Random(inputs.CARSALES, input);
    return { cars: Array.from({ length: inputs.carCount(random) }, () => car(inputs.nextCar(random))) };
  },

  serve({ cars }) {
    return { amount: cars.reduce((amount, car) => amount + value(car), 0) };
  },

  answer({ amount }) {
    return amount;
  },
};

// The fields as the schema nests them.
function car({ diameter, pressure, snowTires, horsepower, cylinders, cc, usesGas, usesElectric, ...rest }) {
  return {
    ...rest,
    wheels: pressure.map((pressure) => ({ diameter, pressure, snowTires })),
    engine: { horsepower, cylinders, cc, usesGas, usesElectric },
  };
}

function value(car) {
  let value = 7 * car.make.length + 3 * car.model.length + 10 * car.color + 200 * car.seats + 350 * car.doors;
  for (const wheel of car.wheels) {
    value += wheel.diameter ** 2 + Math.trunc(wheel.pressure) + (wheel.snowTires ? 100 : 0);
  }
  value += Math.trunc((car.length * car.width * car.height) / 50) + Math.trunc(car.weight / 4);
  const engine = car.engine;
  value += 40 * engine.horsepower + 50 * engine.cylinders + Math.trunc(engine.cc / 10);
  if (engine.usesElectric) value += engine.usesGas ? 5000 : 3000;
  value += Math.trunc(car.fuelCapacity) + 2 * Math.trunc(car.fuelLevel);
  value += (car.powerWindows ? 100 : 0) + (car.powerSteering ? 200 : 0);
  value += (car.cruiseControl ? 400 : 0) + (car.navSystem ? 2000 : 0);
  return value + 25 * car.cupHolders;
}

// Search results, sorted after cats and dogs were looked for in them.
const catrank = {
  ask(input) {
    const hits = new inputs.Hits(new inputs.Random(inputs.CATRANK, input));
    return { results: Array.from({ length: hits.count }, () => hits.next()) };
  },

  serve({ results }) {
    for (const result of results) {
      if (result.snippet.includes(' cat ')) result.score += 10000;
      if (result.snippet.includes(' dog ')) result.score -= 10000;
    }
    results.sort((a, b) => b.score - a.score);
    return { results };
  },

  answer({ results }) {
    let fold = 0;
    for (const { url, score, snippet } of results) {
      const last = url === '' ? 0 : url.charCodeAt(url.length - 1);
      fold = (Math.imul(31, fold) + Math.trunc(score) + 7 * url.length + last + snippet.length) | 0;
    }
    return fold >>> 0;
  },
};

// The value of a tree of arithmetic: a side is { value } or { expression }.
const evaluation = {
  ask(input) {
    return grow(new inputs.Random(inputs.EVAL, input), 0);
  },

  serve(expression) {
    return { value: evaluate(expression) };
  },

  answer({ value }) {
    return value;
  },
};

function grow(random, depth) {
  const operation = inputs.operation(random);
  const left = side(random, depth);
  return { operation, left, right: side(random, depth) };
}

function side(random, depth) {
  return inputs.isLeaf(random, depth) ? { value: inputs.number(random) } : { expression: grow(random, depth + 1) };
}

function evaluate({ operation, left, right }) {
  return inputs.apply(operation, operand(left), operand(right));
}

function operand(side) {
  return side.expression === undefined ? side.value : evaluate(side.expression);
}

export const EXCHANGES = { carsales, catrank, eval: evaluation };
