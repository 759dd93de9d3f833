// FrameworkBenchmarks' tests on fasthttp.
package main

import (
	"encoding/json"
	"log"
	"net"
	"os"

	"github.com/valyala/fasthttp"
	"server/with/world"
)

type message struct {
	Message string `json:"message"`
}

func sendJSON(ctx *fasthttp.RequestCtx, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		return
	}
	ctx.SetContentType("application/json")
	ctx.SetBody(body)
}

func plaintext(ctx *fasthttp.RequestCtx) {
	ctx.SetContentType("text/plain")
	ctx.SetBodyString("Hello, World!")
}

func db(ctx *fasthttp.RequestCtx, rows *world.World) {
	row, err := rows.RandomRow()
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		return
	}
	sendJSON(ctx, row)
}

// list answers with so many rows as the parameter of this name says.
func list(ctx *fasthttp.RequestCtx, name string, find func(count int) ([]world.Row, error)) {
	rows, err := find(world.Count(string(ctx.QueryArgs().Peek(name))))
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		return
	}
	sendJSON(ctx, rows)
}

func fortunes(ctx *fasthttp.RequestCtx, rows *world.World) {
	page, err := rows.Fortunes()
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		return
	}
	ctx.SetContentType("text/html; charset=utf-8")
	ctx.SetBody(page)
}

// ofDatabase answers the tests of a database; false: the path is none of them.
func ofDatabase(ctx *fasthttp.RequestCtx, path string, rows *world.World) bool {
	switch path {
	case "/db":
		db(ctx, rows)
	case "/queries":
		list(ctx, "queries", rows.RandomRows)
	case "/cached-queries":
		list(ctx, "count", rows.CachedRows)
	case "/updates":
		list(ctx, "queries", rows.UpdatedRows)
	case "/fortunes":
		fortunes(ctx, rows)
	default:
		return false
	}
	return true
}

func handler(rows *world.World) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		switch path := string(ctx.Path()); {
		case path == "/plaintext":
			plaintext(ctx)
		case path == "/json":
			sendJSON(ctx, message{"Hello, World!"})
		case rows != nil && ofDatabase(ctx, path, rows):
		default:
			ctx.Error("not found", fasthttp.StatusNotFound)
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
	if len(os.Args) != 5 {
		log.Fatal("usage: server PORT SCHEME CERTIFICATE KEY")
	}
	rows, err := world.Open()
	if err != nil {
		log.Fatal(err)
	}
	// fasthttp adds Server, Date and Content-Length. Go listens with a backlog of net.core.somaxconn and sets
	// TCP_NODELAY on what it accepts.
	server := fasthttp.Server{Name: "fasthttp", Handler: handler(rows)}
	address := net.JoinHostPort(host(), os.Args[1])
	if os.Args[2] == "https" {
		log.Fatal(server.ListenAndServeTLS(address, os.Args[3], os.Args[4]))
	}
	log.Fatal(server.ListenAndServe(address))
}
