// Doubles integers, one a line: an event loop a core, each a process of its own, as the cluster module has it.
'use strict'

const cluster = require('cluster')
const net = require('net')
const { serve } = require('./session')

const [port, processes] = process.argv.slice(2).map(Number)

if (cluster.isPrimary) {
  let listening = 0
  let stopping = false
  cluster.on('listening', () => {
    if (++listening === processes) console.log('listening')
  })
  cluster.on('exit', () => {
    // A worker lost would leave its share to the others: a figure of something else, so it is the end.
    if (!stopping) process.exit(1)
    if (Object.keys(cluster.workers).length === 0) process.exit(0)
  })
  process.once('SIGTERM', () => {
    stopping = true
    for (const worker of Object.values(cluster.workers)) worker.process.kill()
  })
  for (let i = 0; i < processes; i++) cluster.fork()
} else {
  const host = process.env.HOST || '127.0.0.1'
  net.createServer({ noDelay: true }, serve).listen({ host, port, backlog: 4096 })
}
