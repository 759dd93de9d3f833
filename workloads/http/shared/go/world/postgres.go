package world

import (
	"bytes"
	"context"
	"html/template"
	"math/rand"
	"sort"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// pgx prepares a statement when a connection first sees it, and keeps it.
const (
	selectRow  = "SELECT id, randomnumber FROM world WHERE id = $1"
	updateRows = "UPDATE world SET randomnumber = new.number " +
		"FROM unnest($1::int4[], $2::int4[]) AS new (id, number) WHERE world.id = new.id"
	selectFortunes = "SELECT id, message FROM fortune"
	selectCached   = "SELECT id, randomnumber FROM cachedworld ORDER BY id"
)

type postgres struct {
	pool *pgxpool.Pool
	// The rows of the table `cachedworld`, by id from 1.
	cached []Row
}

type fortune struct {
	ID      int32
	Message string
}

var page = template.Must(template.New("fortunes").Parse("<!DOCTYPE html><html><head><title>Fortunes</title></head>" +
	"<body><table><tr><th>id</th><th>message</th></tr>" +
	"{{range .}}<tr><td>{{.ID}}</td><td>{{.Message}}</td></tr>{{end}}" +
	"</table></body></html>"))

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
	found, err := pool.Query(context.Background(), selectCached)
	if err != nil {
		return nil, err
	}
	cached, err := pgx.CollectRows(found, pgx.RowToStructByPos[Row])
	if err != nil {
		return nil, err
	}
	find := func(id int32) (row Row, err error) {
		err = pool.QueryRow(context.Background(), selectRow, id).Scan(&row.ID, &row.RandomNumber)
		return row, err
	}
	return &World{find: find, postgres: &postgres{pool, cached}}, nil
}

// RandomRows finds random rows, each by a query of its own; they are sent together.
func (p *postgres) RandomRows(count int) ([]Row, error) {
	if p == nil {
		return nil, errNone
	}
	ids := make([]int32, count)
	for i := range ids {
		ids[i] = randomID()
	}
	return p.rows(ids)
}

func (p *postgres) rows(ids []int32) ([]Row, error) {
	var batch pgx.Batch
	for _, id := range ids {
		batch.Queue(selectRow, id)
	}
	results := p.pool.SendBatch(context.Background(), &batch)
	defer results.Close()
	rows := make([]Row, len(ids))
	for i := range rows {
		if err := results.QueryRow().Scan(&rows[i].ID, &rows[i].RandomNumber); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// UpdatedRows reads random rows, all different, and gives them new numbers by one statement: in the order of their ids, so
// that no two requests wait for each other.
func (p *postgres) UpdatedRows(count int) ([]Row, error) {
	if p == nil {
		return nil, errNone
	}
	ids := differentIDs(count)
	rows, err := p.rows(ids)
	if err != nil {
		return nil, err
	}
	numbers := make([]int32, count)
	for i := range rows {
		numbers[i] = rand.Int31n(10000) + 1
		rows[i].RandomNumber = numbers[i]
	}
	_, err = p.pool.Exec(context.Background(), updateRows, ids, numbers)
	return rows, err
}

// differentIDs draws ids, and sorts them.
func differentIDs(count int) []int32 {
	drawn := make(map[int32]bool, count)
	ids := make([]int32, 0, count)
	for len(ids) < count {
		if id := randomID(); !drawn[id] {
			drawn[id] = true
			ids = append(ids, id)
		}
	}
	sort.Slice(ids, func(a, b int) bool { return ids[a] < ids[b] })
	return ids
}

// CachedRows finds random rows in memory.
func (p *postgres) CachedRows(count int) ([]Row, error) {
	if p == nil {
		return nil, errNone
	}
	rows := make([]Row, count)
	for i := range rows {
		rows[i] = p.cached[randomID()-1]
	}
	return rows, nil
}

// Fortunes is the page of fortunes.
func (p *postgres) Fortunes() ([]byte, error) {
	if p == nil {
		return nil, errNone
	}
	found, err := p.pool.Query(context.Background(), selectFortunes)
	if err != nil {
		return nil, err
	}
	fortunes, err := pgx.CollectRows(found, pgx.RowToStructByPos[fortune])
	if err != nil {
		return nil, err
	}
	fortunes = append(fortunes, fortune{0, "Additional fortune added at request time."})
	sort.Slice(fortunes, func(a, b int) bool { return fortunes[a].Message < fortunes[b].Message })
	var body bytes.Buffer
	err = page.Execute(&body, fortunes)
	return body.Bytes(), err
}
