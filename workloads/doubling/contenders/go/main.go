// Doubles integers, one a line: a goroutine a connection, sequential code.
package main

import (
	"bufio"
	"bytes"
	"log"
	"math"
	"math/big"
	"net"
	"os"
	"strconv"
)

const maxLine = 64 * 1024

// flushingReader sends the pending answers before it waits for input. A scanner reads only when it holds no whole
// line, so answers leave together, and none waits for a line that has not come.
type flushingReader struct {
	conn net.Conn
	out  *bufio.Writer
}

func (r flushingReader) Read(p []byte) (int, error) {
	if err := r.out.Flush(); err != nil {
		return 0, err
	}
	return r.conn.Read(p)
}

// wholeLines is bufio.ScanLines without its last line where that has no end.
func wholeLines(data []byte, atEOF bool) (int, []byte, error) {
	if bytes.IndexByte(data, '\n') < 0 {
		return 0, nil, nil
	}
	return bufio.ScanLines(data, atEOF)
}

func isInteger(line []byte) bool {
	digits := bytes.TrimPrefix(line, []byte("-"))
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) > 0
}

// appendDouble appends the double of an integer; one too large for the machine's integers goes through math/big.
func appendDouble(out, line []byte) []byte {
	n, err := strconv.ParseInt(string(line), 10, 64)
	if err == nil && n >= math.MinInt64/2 && n <= math.MaxInt64/2 {
		return strconv.AppendInt(out, 2*n, 10)
	}
	number, _ := new(big.Int).SetString(string(line), 10)
	return number.Lsh(number, 1).Append(out, 10)
}

func appendAnswer(out, line []byte) []byte {
	if isInteger(line) {
		out = appendDouble(out, line)
	} else {
		out = append(out, "not an integer"...)
	}
	return append(out, '\n')
}

func serve(conn net.Conn) {
	defer conn.Close()
	out := bufio.NewWriter(conn)
	lines := bufio.NewScanner(flushingReader{conn, out})
	lines.Buffer(nil, maxLine)
	lines.Split(wholeLines)
	var answer []byte
	for lines.Scan() && string(lines.Bytes()) != "end" {
		answer = appendAnswer(answer[:0], lines.Bytes())
		out.Write(answer)
	}
	out.Flush()
}

// host is where to listen: on loopback, unless other machines are to reach it.
func host() string {
	if host := os.Getenv("HOST"); host != "" {
		return host
	}
	return "127.0.0.1"
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: server PORT")
	}
	// Go listens with a backlog of net.core.somaxconn and sets TCP_NODELAY on what it accepts.
	listener, err := net.Listen("tcp4", net.JoinHostPort(host(), os.Args[1]))
	if err != nil {
		log.Fatal(err)
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(conn)
	}
}
