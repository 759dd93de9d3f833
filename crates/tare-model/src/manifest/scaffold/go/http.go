// @SUMMARY@
package main

import (
	"io"
	"log"
	"net/http"
	"os"
)

const body = @EXPECT@

func main() {
	handler := http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		response.Header().Set("Content-Type", "text/plain")
		io.WriteString(response, body)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], handler))
}
