// Package world is the tests of a database, by SQLite or by PostgreSQL. The same files serve all contenders in Go.
package world

import (
	"database/sql"
	"errors"
	"math/rand"
	"os"
	"runtime"
	"strconv"

	_ "github.com/mattn/go-sqlite3"
)

const (
	rows        = 10000
	connections = 16
	mostRows    = 500
)

// Row is a row as it is sent.
type Row struct {
	ID           int32 `json:"id"`
	RandomNumber int32 `json:"randomNumber"`
}

// World is a database that holds the table.
type World struct {
	find func(id int32) (Row, error)
	// Nil with SQLite, which has this table only.
	*postgres
}

var errNone = errors.New("only PostgreSQL has this")

func randomID() int32 {
	return rand.Int31n(rows) + 1
}

// Count is how many rows a request asks for: 1 to 500, and 1 if it is no number.
func Count(value string) int {
	count, err := strconv.Atoi(value)
	switch {
	case err != nil || count < 1:
		return 1
	case count > mostRows:
		return mostRows
	}
	return count
}

// RandomRow finds the row of a random id.
func (w *World) RandomRow() (Row, error) {
	return w.find(randomID())
}

// Open opens the database that the environment names; nil where it names none.
func Open() (*World, error) {
	if path := os.Getenv("SQLITE"); path != "" {
		return openSQLite(path)
	}
	if uri := os.Getenv("POSTGRESQL"); uri != "" {
		return openPostgreSQL(uri)
	}
	return nil, nil
}

func openSQLite(path string) (*World, error) {
	// database/sql gives a connection to one goroutine at a time, so SQLite's own locks are not needed.
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro&_mutex=no")
	if err != nil {
		return nil, err
	}
	// More would only wait for a processor.
	db.SetMaxOpenConns(runtime.GOMAXPROCS(0))
	db.SetMaxIdleConns(runtime.GOMAXPROCS(0))
	query, err := db.Prepare("SELECT id, randomNumber FROM world WHERE id = ?")
	if err != nil {
		return nil, err
	}
	return &World{find: func(id int32) (row Row, err error) {
		err = query.QueryRow(id).Scan(&row.ID, &row.RandomNumber)
		return row, err
	}}, nil
}
