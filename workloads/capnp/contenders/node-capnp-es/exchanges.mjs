// The three jobs: what the client asks, what the server does, and what the client reads.
import * as inputs from './with/for-node/inputs.mjs';
import { Evaluation, Expression, ParkingLot, SearchResults, TotalValue } from './jobs/with/schema/jobs.js';

// The value of all cars in a parking lot.
const carsales = {
  Request: ParkingLot,
  Response: TotalValue,

  ask(input, lot) {
    const random = new inputs.Random(inputs.CARSALES, input);
    const count = inputs.carCount(random);
    const cars = lot._initCars(count);
    for (let i = 0; i < count; i++) fill(inputs.nextCar(random), cars.get(i));
  },

  serve(lot, total) {
    const cars = lot.cars;
    let amount = 0;
    for (let i = 0; i < cars.length; i++) amount += value(cars.get(i));
    total.amount = BigInt(amount);
  },

  answer(total) {
    return total.amount;
  },
};

function fill(from, to) {
  to.make = from.make;
  to.model = from.model;
  to.color = from.color;
  to.seats = from.seats;
  to.doors = from.doors;
  const wheels = to._initWheels(4);
  from.pressure.forEach((pressure, i) => {
    const wheel = wheels.get(i);
    wheel.diameter = from.diameter;
    wheel.pressure = pressure;
    wheel.snowTires = from.snowTires;
  });
  to.length = from.length;
  to.width = from.width;
  to.height = from.height;
  to.weight = from.weight;
  const engine = to._initEngine();
  engine.horsepower = from.horsepower;
  engine.cylinders = from.cylinders;
  engine.cc = from.cc;
  engine.usesGas = from.usesGas;
  engine.usesElectric = from.usesElectric;
  to.fuelCapacity = from.fuelCapacity;
  to.fuelLevel = from.fuelLevel;
  to.powerWindows = from.powerWindows;
  to.powerSteering = from.powerSteering;
  to.cruiseControl = from.cruiseControl;
  to.cupHolders = from.cupHolders;
  to.navSystem = from.navSystem;
}

function value(car) {
  let value = 7 * car.make.length + 3 * car.model.length + 10 * car.color + 200 * car.seats + 350 * car.doors;
  const wheels = car.wheels;
  for (let i = 0; i < wheels.length; i++) {
    const wheel = wheels.get(i);
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

// The library limits how many objects are read of a message, not how many bytes: a message whose results all point to
// the same long text would keep it busy for minutes. So the service has a limit of its own: 4 MiB.
const MOST_READ = 4 << 20;

// Search results, sorted after cats and dogs were looked for in them.
const catrank = {
  Request: SearchResults,
  Response: SearchResults,

  ask(input, request) {
    const hits = new inputs.Hits(new inputs.Random(inputs.CATRANK, input));
    const results = request._initResults(hits.count);
    for (let i = 0; i < hits.count; i++) set(results.get(i), hits.next());
  },

  serve(request, response) {
    const results = request.results;
    const scored = [];
    let read = 0;
    for (let i = 0; i < results.length; i++) {
      const result = score(results.get(i));
      scored.push(result);
      read += result.url.length + result.snippet.length;
      if (read > MOST_READ) throw new RangeError('the message has more text than one may send');
    }
    scored.sort((a, b) => b.score - a.score);
    const ranked = response._initResults(scored.length);
    for (let i = 0; i < scored.length; i++) set(ranked.get(i), scored[i]);
  },

  answer(response) {
    const results = response.results;
    let fold = 0;
    for (let i = 0; i < results.length; i++) {
      const { url, score, snippet } = results.get(i);
      const last = url === '' ? 0 : url.charCodeAt(url.length - 1);
      fold = (Math.imul(31, fold) + Math.trunc(score) + 7 * url.length + last + snippet.length) | 0;
    }
    return fold >>> 0;
  },
};

function set(to, from) {
  to.url = from.url;
  to.score = from.score;
  to.snippet = from.snippet;
}

function score({ url, score, snippet }) {
  if (snippet.includes(' cat ')) score += 10000;
  if (snippet.includes(' dog ')) score -= 10000;
  return { url, score, snippet };
}

// The value of a tree of arithmetic.
const evaluation = {
  Request: Expression,
  Response: Evaluation,

  ask(input, expression) {
    grow(new inputs.Random(inputs.EVAL, input), 0, expression);
  },

  serve(expression, evaluation) {
    evaluation.value = evaluate(expression);
  },

  answer(evaluation) {
    return BigInt(evaluation.value);
  },
};

function grow(random, depth, expression) {
  expression.operation = inputs.operation(random);
  for (const side of [expression.left, expression.right]) {
    if (inputs.isLeaf(random, depth)) side.value = inputs.number(random);
    else grow(random, depth + 1, side._initExpression());
  }
}

function evaluate(expression) {
  return inputs.apply(expression.operation, operand(expression.left), operand(expression.right));
}

function operand(side) {
  return side._isValue ? side.value : evaluate(side.expression);
}

export const EXCHANGES = { carsales, catrank, eval: evaluation };
