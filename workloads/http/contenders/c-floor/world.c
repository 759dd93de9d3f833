#include "world.h"

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

/* xorshift32 (Marsaglia 2003), scaled to the range by its high bits. */
unsigned random_id(unsigned *state) {
    uint32_t x = *state;
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    *state = x;
    return ((uint64_t)x * ROWS >> 32) + 1;
}

sqlite3_stmt *sqlite_open(const char *path) {
    sqlite3 *db;
    sqlite3_stmt *select;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        fail(path, sqlite3_errmsg(db));
    if (sqlite3_prepare_v2(db, "SELECT id, randomNumber FROM world WHERE id = ?", -1, &select, NULL) != SQLITE_OK)
        fail(path, sqlite3_errmsg(db));
    return select;
}

struct row sqlite_row(sqlite3_stmt *select, unsigned id) {
    sqlite3_bind_int(select, 1, id);
    if (sqlite3_step(select) != SQLITE_ROW) fail("SELECT", sqlite3_errmsg(sqlite3_db_handle(select)));
    struct row row = {sqlite3_column_int(select, 0), sqlite3_column_int(select, 1)};
    sqlite3_reset(select);
    return row;
}

struct pg_conn {
    PGconn *conn;
    size_t awaited; /* results that are still to come: one a question, one a synchronisation point */
    int unsynced;   /* asked since the last synchronisation point, after which the server answers */
    struct row cached[ROWS];
};

static void prepare(PGconn *conn, const char *name, const char *statement) {
    PGresult *made = PQprepare(conn, name, statement, 0, NULL);
    if (PQresultStatus(made) != PGRES_COMMAND_OK) fail("PREPARE", PQerrorMessage(conn));
    PQclear(made);
}

static struct row row_at(const PGresult *result, int row) {
    uint32_t id, number;
    memcpy(&id, PQgetvalue(result, row, 0), sizeof id);
    memcpy(&number, PQgetvalue(result, row, 1), sizeof number);
    return (struct row){ntohl(id), ntohl(number)};
}

static void read_cached(struct pg_conn *pg) {
    const char *select = "SELECT id, randomnumber FROM cachedworld ORDER BY id";
    PGresult *found = PQexecParams(pg->conn, select, 0, NULL, NULL, NULL, NULL, 1);
    if (PQresultStatus(found) != PGRES_TUPLES_OK || PQntuples(found) != ROWS) fail("SELECT", PQerrorMessage(pg->conn));
    for (int i = 0; i < ROWS; i++) pg->cached[i] = row_at(found, i);
    PQclear(found);
}

struct pg_conn *postgres_open(const char *uri) {
    struct pg_conn *pg = calloc(1, sizeof *pg);
    if (!pg) fail("calloc", "no memory");
    pg->conn = PQconnectdb(uri);
    if (PQstatus(pg->conn) != CONNECTION_OK) fail(uri, PQerrorMessage(pg->conn));
    prepare(pg->conn, "world", "SELECT id, randomnumber FROM world WHERE id = $1::int4");
    prepare(pg->conn, "change",
        "UPDATE world SET randomnumber = new.number FROM unnest($1::int4[], $2::int4[]) AS new (id, number) "
        "WHERE world.id = new.id");
    prepare(pg->conn, "fortunes", "SELECT id, message FROM fortune");
    read_cached(pg);
    PQsetnonblocking(pg->conn, 1);
    PQenterPipelineMode(pg->conn);
    return pg;
}

int postgres_fd(const struct pg_conn *pg) {
    return PQsocket(pg->conn);
}

/* All parameters and results are binary. */
static void ask(struct pg_conn *pg, const char *name, int n, const char *const *values, const int *lengths) {
    static const int formats[] = {1, 1};
    if (!PQsendQueryPrepared(pg->conn, name, n, values, lengths, formats, 1)) fail(name, PQerrorMessage(pg->conn));
    pg->awaited++;
    pg->unsynced = 1;
}

void postgres_ask(struct pg_conn *pg, unsigned id) {
    uint32_t wire = htonl(id);
    const char *values[] = {(char *)&wire};
    int lengths[] = {sizeof wire};
    ask(pg, "world", 1, values, lengths);
}

void postgres_ask_fortunes(struct pg_conn *pg) {
    ask(pg, "fortunes", 0, NULL, NULL);
}

enum {
    INT4 = 23, /* the type's oid */
    ARRAY_HEAD = 5,
};

/* Makes the head of an array of so many numbers. */
static void begin_array(uint32_t *array, unsigned count) {
    uint32_t head[ARRAY_HEAD] = {htonl(1), 0, htonl(INT4), htonl(count), htonl(1)};
    memcpy(array, head, sizeof head);
}

static void put_element(uint32_t *array, unsigned at, unsigned number) {
    array[ARRAY_HEAD + 2 * at] = htonl(sizeof(uint32_t));
    array[ARRAY_HEAD + 2 * at + 1] = htonl(number);
}

void postgres_change(struct pg_conn *pg, const struct row *rows, unsigned count) {
    uint32_t ids[ARRAY_HEAD + 2 * MOST_ROWS], numbers[ARRAY_HEAD + 2 * MOST_ROWS];
    begin_array(ids, count);
    begin_array(numbers, count);
    for (unsigned i = 0; i < count; i++) {
        put_element(ids, i, rows[i].id);
        put_element(numbers, i, rows[i].random_number);
    }
    const char *values[] = {(char *)ids, (char *)numbers};
    int size = (ARRAY_HEAD + 2 * count) * sizeof(uint32_t), lengths[] = {size, size};
    ask(pg, "change", 2, values, lengths);
}

int postgres_send(struct pg_conn *pg) {
    if (pg->unsynced) {
        if (!PQpipelineSync(pg->conn)) fail("Sync", PQerrorMessage(pg->conn));
        pg->awaited++;
        pg->unsynced = 0;
    }
    int left = PQflush(pg->conn);
    if (left < 0) fail("PQflush", PQerrorMessage(pg->conn));
    return left;
}

void postgres_receive(struct pg_conn *pg) {
    if (!PQconsumeInput(pg->conn)) fail("PQconsumeInput", PQerrorMessage(pg->conn));
}

struct pg_result *postgres_result(struct pg_conn *pg) {
    while (pg->awaited > 0 && !PQisBusy(pg->conn)) {
        PGresult *result = PQgetResult(pg->conn);
        if (!result) continue; /* the end of one question's results */
        ExecStatusType status = PQresultStatus(result);
        pg->awaited--;
        if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return result;
        if (status != PGRES_PIPELINE_SYNC) fail("a query", PQerrorMessage(pg->conn));
        PQclear(result);
    }
    return NULL;
}

struct row result_row(const struct pg_result *result) {
    if (PQntuples(result) != 1) fail("SELECT", "not one row");
    return row_at(result, 0);
}

unsigned result_fortunes(const struct pg_result *result, struct fortune *fortunes) {
    int count = PQntuples(result);
    if (count > MOST_FORTUNES) fail("SELECT", "more fortunes than expected");
    for (int i = 0; i < count; i++) {
        uint32_t id;
        memcpy(&id, PQgetvalue(result, i, 0), sizeof id);
        fortunes[i] = (struct fortune){ntohl(id), PQgetvalue(result, i, 1)};
    }
    return count;
}

void result_clear(struct pg_result *result) {
    PQclear(result);
}

struct row postgres_cached(const struct pg_conn *pg, unsigned id) {
    return pg->cached[id - 1];
}
