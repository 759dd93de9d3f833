// Node loads this before a file of benchmarks. It puts itself between that file and the library that it imports, tinybench or
// mitata, which have no command line: only the wanted benchmark is run, for as long as asked for, and what was found is written as a
// line of JSON, in seconds an iteration. Without a wanted one all are run, as short as the library can.
//
// The variables: TARE_RESULT, the file to write to; TARE_BENCHMARK, the name, and TARE_ALIAS, the one that mitata chooses by;
// TARE_MILLISECONDS or TARE_ITERATIONS, how much to do.
import { appendFileSync } from 'node:fs';
import Module, { register } from 'node:module';

const { TARE_RESULT, TARE_BENCHMARK: wanted, TARE_ALIAS: alias, TARE_MILLISECONDS, TARE_ITERATIONS } = process.env;

const say = (found) => appendFileSync(TARE_RESULT, `${JSON.stringify(found)}\n`);

const words = (error) => error && String(error.stack ?? error);

// How much a benchmark of tinybench does. A part is for the compilers first, and does not count.
function effort() {
  if (TARE_ITERATIONS) {
    const iterations = Number(TARE_ITERATIONS);
    return { time: 0, iterations, warmupTime: 0, warmupIterations: Math.ceil(iterations / 2) };
  }
  if (TARE_MILLISECONDS) {
    const time = Number(TARE_MILLISECONDS);
    return { time, iterations: 1, warmupTime: time / 2, warmupIterations: 1 };
  }
  return { time: 0, iterations: 1, warmupTime: 0, warmupIterations: 0 };
}

function tinybench({ Bench }) {
  const nameOf = (bench, task) => (bench.name ? `${bench.name} > ${task.name}` : task.name);
  const choose = (bench) => {
    for (const task of [...bench.tasks]) {
      if (wanted !== undefined && nameOf(bench, task) !== wanted) bench.remove(task.name);
    }
  };
  const tell = (bench) => {
    for (const task of bench.tasks) {
      const { result } = task;
      const { mean } = result?.latency ?? result ?? {};
      const seconds = mean === undefined ? undefined : mean / 1e3;
      say({ name: nameOf(bench, task), seconds, iterations: task.runs, error: words(result?.error) });
    }
  };
  class Chosen extends Bench {
    constructor(options) {
      super({ ...options, ...effort() });
    }

    async run() {
      choose(this);
      const tasks = await super.run();
      tell(this);
      return tasks;
    }

    runSync() {
      choose(this);
      const tasks = super.runSync();
      tell(this);
      return tasks;
    }
  }
  return { Bench: Chosen };
}

function mitata({ run }) {
  const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const filter = alias === undefined ? undefined : { filter: new RegExp(`^${escaped(alias)}$`) };
  return {
    run: async (options) => {
      const found = await run({ ...options, ...filter, format: 'quiet', throw: false });
      for (const { alias, runs } of found.benchmarks) {
        for (const { name, stats, error } of runs) {
          if (wanted !== undefined && name !== wanted) continue;
          const seconds = stats === undefined ? undefined : stats.p50 / 1e9;
          say({ name, alias, seconds, error: words(error) });
        }
      }
      return found;
    },
  };
}

const libraries = { tinybench, mitata };
globalThis[Symbol.for('tare')] = libraries;

// What is required.
const load = Module._load;
Module._load = function (request, ...more) {
  const found = load.call(this, request, ...more);
  return Object.hasOwn(libraries, request) ? { ...found, ...libraries[request](found) } : found;
};

// What is imported: a module in front of the library's own.
const hooks = `
  const names = ${JSON.stringify(Object.keys(libraries))};
  const FRONT = 'tare-front:';
  export async function resolve(specifier, context, next) {
    const front = context.parentURL?.startsWith(FRONT);
    const found = await next(specifier, front ? { ...context, parentURL: undefined } : context);
    const wrap = names.includes(specifier) && !front;
    return wrap ? { url: FRONT + specifier + ':' + found.url, shortCircuit: true } : found;
  }
  export async function load(url, context, next) {
    if (!url.startsWith(FRONT)) return next(url, context);
    const [name, ...real] = url.slice(FRONT.length).split(':');
    const from = JSON.stringify(real.join(':'));
    const own = { tinybench: 'Bench', mitata: 'run' }[name];
    const source = 'import * as real from ' + from + ';'
      + 'export * from ' + from + ';'
      + 'export const { ' + own + ' } = globalThis[Symbol.for("tare")].' + name + '(real);';
    return { format: 'module', source, shortCircuit: true };
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
