// The page by net/http, with no template.
package main

import (
	"log"
	"net"
	"net/http"
	"os"
	"sync"

	"server/with/page"
)

// Buffers are used again, since the page is gone when the handler returns.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func write(w http.ResponseWriter, asked page.Page) error {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	*buffer = asked.Append((*buffer)[:0])
	return page.Send(w, *buffer)
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: server PORT")
	}
	log.Fatal(http.ListenAndServe(net.JoinHostPort("127.0.0.1", os.Args[1]), page.Handler(write)))
}
