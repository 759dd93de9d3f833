// Package world finds rows of the table `world`, in SQLite or in PostgreSQL. The same file serves all contenders in Go.
package world

import (
	"context"
	"database/sql"
	"math/rand"
	"os"
	"runtime"

	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/mattn/go-sqlite3"
)

const (
	rows        = 10000
	connections = 16
)

// Row is a row as it is sent.
type Row struct {
	ID           int32 `json:"id"`
	RandomNumber int32 `json:"randomNumber"`
}

// World is a database that holds the table.
type World struct {
	find func(id int32) (Row, error)
}

// RandomRow finds the row of a random id.
func (w *World) RandomRow() (Row, error) {
	return w.find(rand.Int31n(rows) + 1)
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
	return &World{func(id int32) (row Row, err error) {
		err = query.QueryRow(id).Scan(&row.ID, &row.RandomNumber)
		return row, err
	}}, nil
}

// pgx prepares a statement when a connection first sees it, and keeps it.
func openPostgreSQL(uri string) (*World, error) {
	config, err := pgxpool.ParseConfig(uri)
	if err != nil {
		return nil, err
	}
	config.MaxConns = connections
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, err
	}
	const query = "SELECT id, randomnumber FROM world WHERE id = $1"
	return &World{func(id int32) (row Row, err error) {
		err = pool.QueryRow(context.Background(), query, id).Scan(&row.ID, &row.RandomNumber)
		return row, err
	}}, pool.Ping(context.Background())
}
