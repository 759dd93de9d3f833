// FrameworkBenchmarks' tests on net/http.
package main

import (
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"

	"server/with/world"
)

type message struct {
	Message string `json:"message"`
}

// send adds what net/http does not: it knows Date and, for small bodies, Content-Length.
func send(w http.ResponseWriter, kind string, body []byte) {
	header := w.Header()
	header.Set("Server", "Go")
	header.Set("Content-Type", kind)
	w.Write(body)
}

func sendJSON(w http.ResponseWriter, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	send(w, "application/json", body)
}

func plaintext(w http.ResponseWriter, _ *http.Request) {
	send(w, "text/plain", []byte("Hello, World!"))
}

func hello(w http.ResponseWriter, _ *http.Request) {
	sendJSON(w, message{"Hello, World!"})
}

func db(rows *world.World) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		row, err := rows.RandomRow()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		sendJSON(w, row)
	}
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: server PORT")
	}
	rows, err := world.Open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/plaintext", plaintext)
	mux.HandleFunc("/json", hello)
	if rows != nil {
		mux.HandleFunc("/db", db(rows))
	}
	// Go listens with a backlog of net.core.somaxconn and sets TCP_NODELAY on what it accepts.
	address := net.JoinHostPort("127.0.0.1", os.Args[1])
	log.Fatal(http.ListenAndServe(address, mux))
}
