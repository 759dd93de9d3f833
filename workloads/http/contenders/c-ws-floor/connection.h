/* A connection: a handshake, and then frames that are echoed. */
#pragma once

struct connection;

/* What a connection waits for. */
enum wanted { TO_READ, TO_WRITE, NOTHING_MORE };

/* Over an accepted socket that does not block. NULL: there is no memory for it. */
struct connection *connection_new(int fd);
/* Reads and answers what has come. After `NOTHING_MORE` the connection is over. */
enum wanted connection_proceed(struct connection *connection);
int connection_fd(const struct connection *connection);
/* Closes it. */
void connection_free(struct connection *connection);
