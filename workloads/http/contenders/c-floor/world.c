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
    return ((uint64_t)x * 10000 >> 32) + 1;
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
};

struct pg_conn *postgres_open(const char *uri) {
    struct pg_conn *pg = calloc(1, sizeof *pg);
    if (!pg) fail("calloc", "no memory");
    pg->conn = PQconnectdb(uri);
    if (PQstatus(pg->conn) != CONNECTION_OK) fail(uri, PQerrorMessage(pg->conn));
    PGresult *made = PQprepare(pg->conn, "world", "SELECT id, randomnumber FROM world WHERE id = $1::int4", 1, NULL);
    if (PQresultStatus(made) != PGRES_COMMAND_OK) fail("PREPARE", PQerrorMessage(pg->conn));
    PQclear(made);
    PQsetnonblocking(pg->conn, 1);
    PQenterPipelineMode(pg->conn);
    return pg;
}

int postgres_fd(const struct pg_conn *pg) {
    return PQsocket(pg->conn);
}

void postgres_ask(struct pg_conn *pg, unsigned id) {
    uint32_t wire = htonl(id);
    const char *values[] = {(char *)&wire};
    int lengths[] = {sizeof wire}, formats[] = {1};
    if (!PQsendQueryPrepared(pg->conn, "world", 1, values, lengths, formats, 1))
        fail("SELECT", PQerrorMessage(pg->conn));
    pg->awaited++;
    pg->unsynced = 1;
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

static unsigned integer(const PGresult *result, int column) {
    uint32_t wire;
    memcpy(&wire, PQgetvalue(result, 0, column), sizeof wire);
    return ntohl(wire);
}

int postgres_row(struct pg_conn *pg, struct row *row) {
    while (pg->awaited > 0 && !PQisBusy(pg->conn)) {
        PGresult *result = PQgetResult(pg->conn);
        if (!result) continue; /* the end of one question's results */
        ExecStatusType status = PQresultStatus(result);
        int is_row = status == PGRES_TUPLES_OK && PQntuples(result) == 1;
        if (!is_row && status != PGRES_PIPELINE_SYNC) fail("SELECT", PQerrorMessage(pg->conn));
        if (is_row) *row = (struct row){integer(result, 0), integer(result, 1)};
        PQclear(result);
        pg->awaited--;
        if (is_row) return 1;
    }
    return 0;
}
