'use strict';

// For `tare explain`: a line on standard error for each of V8's collections. NODE_OPTIONS loads this before a
// contender's own code. `--trace-gc` has the same, but may not stand there, and writes to standard output, where a probe
// gives its answers.

const { writeSync } = require('node:fs');
const v8 = require('node:v8');

// Often enough that each line is in the log by the time of what it tells of, seldom enough to cost next to nothing.
const EVERY_MS = 100;

const inUse = (heap) => heap.usedHeapSize + heap.externalMemory;

function watch() {
  const profiler = new v8.GCProfiler();
  let left = inUse(v8.getHeapStatistics());

  const line = ({ gcType, beforeGC, afterGC, cost }) => {
    const [before, after] = [inUse(beforeGC.heapStatistics), inUse(afterGC.heapStatistics)];
    const fresh = Math.max(0, before - left);
    left = after;
    return `tare: v8: ${gcType}, ${fresh} bytes new, ${before} -> ${after} bytes in use, ${cost} us\n`;
  };
  const tell = () => {
    const { statistics } = profiler.stop();
    profiler.start();
    if (statistics.length > 0) writeSync(2, statistics.map(line).join(''));
  };

  profiler.start();
  setInterval(tell, EVERY_MS).unref();
  process.on('exit', tell);
  // A signal that nobody else waits for ends the process as it would have without this.
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, () => {
      tell();
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  }
}

// Node.js 18.15 and 19.6 brought it; an older one has no lines.
if (v8.GCProfiler) watch();
