// The page by html/template, on net/http.
package main

import (
	"bytes"
	"embed"
	"html/template"
	"log"
	"net"
	"net/http"
	"os"

	"server/with/page"
)

//go:embed page.html
var files embed.FS

var pageTemplate = template.Must(template.ParseFS(files, "page.html"))

// table is what the template is given: rows of numbers.
func table(asked page.Page) [][]int {
	row := make([]int, asked.Columns)
	for i := range row {
		row[i] = i + 1
	}
	rows := make([][]int, asked.Rows)
	for i := range rows {
		rows[i] = row
	}
	return rows
}

// A template may fail midway, so that the page is whole before its first byte is sent.
func write(w http.ResponseWriter, asked page.Page) error {
	var buffer bytes.Buffer
	if err := pageTemplate.Execute(&buffer, table(asked)); err != nil {
		return err
	}
	return page.Send(w, buffer.Bytes())
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: server PORT")
	}
	log.Fatal(http.ListenAndServe(net.JoinHostPort("127.0.0.1", os.Args[1]), page.Handler(write)))
}
