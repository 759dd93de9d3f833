// The job: the double of an integer of any size; `end` ends the connection.
function answer(line) {
  if (line.endsWith('\r')) line = line.slice(0, -1)
  if (line === 'end') return null
  if (!/^-?[0-9]+$/.test(line)) return 'not an integer'
  return (2n * (line[0] === '-' ? -BigInt(line.slice(1)) : BigInt(line))).toString()
}

