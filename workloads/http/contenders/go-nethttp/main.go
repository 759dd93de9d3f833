// FrameworkBenchmarks' tests on net/http.
package main

import (
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/h2c"

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

// sendWhole is send for a body of any size.
func sendWhole(w http.ResponseWriter, kind string, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	send(w, kind, body)
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

// list answers with so many rows as the parameter of this name says.
func list(name string, find func(count int) ([]world.Row, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rows, err := find(world.Count(r.URL.Query().Get(name)))
		var body []byte
		if err == nil {
			body, err = json.Marshal(rows)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		sendWhole(w, "application/json", body)
	}
}

func fortunes(rows *world.World) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		page, err := rows.Fortunes()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		sendWhole(w, "text/html; charset=utf-8", page)
	}
}

// host is where to listen: on loopback, unless other machines are to reach it.
func host() string {
	if host := os.Getenv("HOST"); host != "" {
		return host
	}
	return "127.0.0.1"
}

// serve serves by the scheme. Over TLS net/http offers HTTP/2 and HTTP/1.1, and the client chooses.
func serve(address string, handler http.Handler, scheme, certificate, key string) error {
	switch scheme {
	case "https", "h2":
		return http.ListenAndServeTLS(address, certificate, key, handler)
	case "h2c":
		return http.ListenAndServe(address, h2c.NewHandler(handler, &http2.Server{}))
	default:
		return http.ListenAndServe(address, handler)
	}
}

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: server PORT SCHEME CERTIFICATE KEY")
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
		mux.HandleFunc("/queries", list("queries", rows.RandomRows))
		mux.HandleFunc("/cached-queries", list("count", rows.CachedRows))
		mux.HandleFunc("/updates", list("queries", rows.UpdatedRows))
		mux.HandleFunc("/fortunes", fortunes(rows))
	}
	// Go listens with a backlog of net.core.somaxconn and sets TCP_NODELAY on what it accepts.
	address := net.JoinHostPort(host(), os.Args[1])
	log.Fatal(serve(address, mux, os.Args[2], os.Args[3], os.Args[4]))
}
