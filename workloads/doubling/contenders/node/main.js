// Doubles integers, one a line: callbacks on one event loop.
'use strict'

const net = require('net')
const { serve } = require('./session')

net.createServer({ noDelay: true }, serve)
  .listen({ host: process.env.HOST || '127.0.0.1', port: Number(process.argv[2]), backlog: 4096 })
