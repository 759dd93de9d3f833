// @SUMMARY@
'use strict'
const http = require('http')

const BODY = Buffer.from(@EXPECT@, 'latin1')

const server = http.createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': BODY.length })
  response.end(BODY)
})
server.listen({ host: '127.0.0.1', port: Number(process.argv[2]), backlog: 4096 })
