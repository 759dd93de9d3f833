const ANSWER = @EXPECT@

// The job: every line has the same answer. null would end the connection.
function answer(line) {
  return ANSWER
}

