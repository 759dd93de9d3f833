// Echoes messages over WebSocket, by gorilla/websocket.
package main

import (
	"log"
	"net"
	"net/http"
	"os"

	"github.com/gorilla/websocket"
)

var upgrader = websocket.Upgrader{}

// echo sends back what comes, until the connection ends. Pings are answered while reading.
func echo(w http.ResponseWriter, r *http.Request) {
	connection, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // it has been answered
	}
	defer connection.Close()
	for {
		kind, message, err := connection.ReadMessage()
		if err != nil {
			return
		}
		if err := connection.WriteMessage(kind, message); err != nil {
			return
		}
	}
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
	http.HandleFunc("/ws", echo)
	// Go listens with a backlog of net.core.somaxconn and sets TCP_NODELAY on what it accepts.
	log.Fatal(http.ListenAndServe(net.JoinHostPort(host(), os.Args[1]), nil))
}
