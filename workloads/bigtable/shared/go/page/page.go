// Package page knows the page, and the query that asks for it.
package page

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

const (
	maxRows    = 10_000
	maxColumns = 100
)

// Page is the size of a page.
type Page struct {
	Rows, Columns int
}

func number(text string, most int) (int, error) {
	value, err := strconv.ParseUint(text, 10, 32)
	if err != nil || value < 1 || value > uint64(most) {
		return 0, fmt.Errorf("expected a number from 1 to %d, found %q", most, text)
	}
	return int(value), nil
}

// Asked reads a query; without `columns` there are 50.
func Asked(query url.Values) (Page, error) {
	rows, err := number(query.Get("rows"), maxRows)
	if err != nil || !query.Has("columns") {
		return Page{rows, 50}, err
	}
	columns, err := number(query.Get("columns"), maxColumns)
	return Page{rows, columns}, err
}

// Handler answers `/` by what `write` makes of the page that is asked for.
func Handler(write func(http.ResponseWriter, Page) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		page, err := Asked(r.URL.Query())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := write(w, page); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
}

// Send sends a whole page.
func Send(w http.ResponseWriter, page []byte) error {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(page)))
	// An error would mean that the peer is gone, and that there is nobody to tell.
	_, _ = w.Write(page)
	return nil
}
