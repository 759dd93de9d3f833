// One connection's side of the job: lines in, answers out. The same file serves `node` and `node-cluster`.
'use strict'

const MAX_LINE = 64 * 1024
const INTEGER = /^-?[0-9]+$/
// Integers of up to 15 digits are exact as doubles, and so are their doubles (both are below 2^53).
const SAFE_DIGITS = 15

function answer (line) {
  if (!INTEGER.test(line)) return 'not an integer\n'
  if (line.length <= SAFE_DIGITS) return Number(line) * 2 + '\n'
  return BigInt(line) * 2n + '\n'
}

/** Serves a connection; answers to the lines that arrive together leave together. */
function serve (socket) {
  let tail = ''
  // Latin-1 maps each byte to one character: foreign bytes stay foreign, and no sequence is split.
  socket.setEncoding('latin1')
  socket.on('error', () => socket.destroy())
  socket.on('drain', () => socket.resume())
  socket.on('data', chunk => {
    const lines = (tail + chunk).split('\n')
    tail = lines.pop()
    let out = ''
    for (let line of lines) {
      if (line.endsWith('\r')) line = line.slice(0, -1)
      if (line === 'end') return finish(out)
      out += answer(line)
    }
    if (tail.length > MAX_LINE) return finish(out)
    if (out !== '' && !socket.write(out, 'latin1')) socket.pause()
  })

  function finish (out) {
    socket.removeAllListeners('data')
    socket.resume()
    socket.end(out, 'latin1')
  }
}

module.exports = { serve }
