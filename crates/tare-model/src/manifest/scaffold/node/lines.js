// @SUMMARY@
// One event loop. Answers are sent when no whole line is left to answer.
'use strict'
const net = require('net')

@ANSWER@
function serve(socket) {
  let tail = ''
  let open = true
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  socket.on('error', () => socket.destroy())
  socket.on('data', piece => {
    if (!open) return
    const lines = (tail + piece).split('\n')
    tail = lines.pop()
    const answers = []
    for (const line of lines) {
      const reply = answer(line)
      if (reply === null) {
        open = false
        break
      }
      answers.push(reply + '\n')
    }
    if (answers.length > 0) socket.write(answers.join(''), 'latin1')
    if (tail.length > 65536) open = false // no line is this long
    if (!open) socket.end()
  })
}

net.createServer(serve).listen({ host: '127.0.0.1', port: Number(process.argv[2]), backlog: 4096 })
