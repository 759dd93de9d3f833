/* Rows of the table `world`: from SQLite at once, from PostgreSQL later, in the order in which they were asked for.
 * Whatever fails here ends the program with a message: there is no answer without the database. */
#pragma once
#include <stddef.h>

struct row {
    unsigned id, random_number;
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
/* Queues the question; nothing is sent before `postgres_send`. */
void postgres_ask(struct pg_conn *pg, unsigned id);
/* Sends what is queued; true where the socket did not take all of it. */
int postgres_send(struct pg_conn *pg);
void postgres_receive(struct pg_conn *pg);
/* Takes the next row that has come; false where none has. */
int postgres_row(struct pg_conn *pg, struct row *row);
