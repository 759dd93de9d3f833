/* Rows of the tables `world`, `cachedworld` and `fortune`: from SQLite, which has the first only, at once, from PostgreSQL
 * later, in the order in which they were asked for. Whatever fails here ends the program with a message: there is no answer without the database. */
#pragma once
#include <stddef.h>

enum {
    ROWS = 10000,
    MOST_ROWS = 500, /* that a request may ask for */
    MOST_FORTUNES = 64,
};

struct row {
    unsigned id, random_number;
};

struct fortune {
    unsigned id;
    const char *message;
};

/* A row's id, evenly from 1 to 10000. The state is a thread's own, and never 0. */
unsigned random_id(unsigned *state);

struct sqlite3_stmt;
struct sqlite3_stmt *sqlite_open(const char *path);
struct row sqlite_row(struct sqlite3_stmt *select, unsigned id);

struct pg_conn;
/* A connection in pipeline mode with the statement prepared. */
struct pg_conn *postgres_open(const char *uri);
int postgres_fd(const struct pg_conn *pg);
/* Queues a question; nothing is sent before `postgres_send`. Each has one result. */
void postgres_ask(struct pg_conn *pg, unsigned id);
void postgres_ask_fortunes(struct pg_conn *pg);
/* Changes the numbers of rows. */
void postgres_change(struct pg_conn *pg, const struct row *rows, unsigned count);
/* Sends what is queued; true where the socket did not take all of it. */
int postgres_send(struct pg_conn *pg);
void postgres_receive(struct pg_conn *pg);
/* The next result that has come, or NULL; it is the caller's to clear. */
struct pg_result *postgres_result(struct pg_conn *pg);
struct row result_row(const struct pg_result *result);
/* Returns how many there are. Messages are good until the result is cleared. */
unsigned result_fortunes(const struct pg_result *result, struct fortune *fortunes);
void result_clear(struct pg_result *result);
/* A row of the table `cachedworld`, from memory. */
struct row postgres_cached(const struct pg_conn *pg, unsigned id);
