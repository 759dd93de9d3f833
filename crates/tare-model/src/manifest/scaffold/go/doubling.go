func isInteger(line []byte) bool {
	digits := bytes.TrimPrefix(line, []byte("-"))
	for _, digit := range digits {
		if digit < '0' || digit > '9' {
			return false
		}
	}
	return len(digits) > 0
}

// The job: the double of an integer of any size; `end` ends the connection.
func answer(out *bufio.Writer, line []byte) bool {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if string(line) == "end" {
		return false
	}
	if isInteger(line) {
		number, _ := new(big.Int).SetString(string(line), 10)
		out.WriteString(number.Lsh(number, 1).String())
	} else {
		out.WriteString("not an integer")
	}
	out.WriteByte('\n')
	return true
}

