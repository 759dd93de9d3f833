// @SUMMARY@
// A goroutine a connection. Answers are sent when no whole line is left to answer.
package main

import (
	"bufio"
	"bytes"
	"io"
	"log"
@IMPORTS@	"net"
	"os"
)

@ANSWER@
func serve(connection *net.TCPConn) {
	defer connection.Close()
	in := bufio.NewReaderSize(connection, 65536)
	out := bufio.NewWriter(connection)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		open := answer(out, line[:len(line)-1])
		rest, _ := in.Peek(in.Buffered())
		if !open || bytes.IndexByte(rest, '\n') < 0 {
			if out.Flush() != nil {
				return
			}
		}
		if !open {
			// Closing with bytes unread would reset the connection and may take answers with it.
			connection.CloseWrite()
			io.Copy(io.Discard, connection)
			return
		}
	}
}

func main() {
	listener, err := net.Listen("tcp4", "127.0.0.1:"+os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for {
		connection, err := listener.Accept()
		if err != nil {
			continue
		}
		go serve(connection.(*net.TCPConn))
	}
}
