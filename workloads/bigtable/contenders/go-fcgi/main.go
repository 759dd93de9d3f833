// The page by net/http/fcgi, a goroutine a request.
package main

import (
	"log"
	"net/http"
	"net/http/fcgi"
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
	// Without a listener, it takes the one that is its standard input.
	log.Fatal(fcgi.Serve(nil, page.Handler(write)))
}
