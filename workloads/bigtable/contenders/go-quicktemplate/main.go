// The page by quicktemplate, whose templates are compiled to Go, on net/http.
package main

import (
	"log"
	"net"
	"net/http"
	"os"

	"github.com/valyala/quicktemplate"

	"server/templates"
	"server/with/page"
)

func write(w http.ResponseWriter, asked page.Page) error {
	buffer := quicktemplate.AcquireByteBuffer()
	defer quicktemplate.ReleaseByteBuffer(buffer)
	templates.WriteTable(buffer, asked.Rows, asked.Columns)
	return page.Send(w, buffer.B)
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: server PORT")
	}
	log.Fatal(http.ListenAndServe(net.JoinHostPort("127.0.0.1", os.Args[1]), page.Handler(write)))
}
