/* A connection that speaks HTTP/2, in clear or over TLS. */
#pragma once
#include <openssl/ssl.h>

#include "answers.h"

struct connection;

/* What a connection waits for. */
enum wanted { TO_READ, TO_WRITE, NOTHING_MORE };

/* Over an accepted socket that does not block; `tls` is NULL in clear. NULL: there is no memory for it. The date has to outlive
 * it. */
struct connection *connection_new(SSL_CTX *tls, int fd, const struct date *date);
/* Reads and answers what has come. After `NOTHING_MORE` the connection is over. */
enum wanted connection_proceed(struct connection *connection);
int connection_fd(const struct connection *connection);
/* Closes it. */
void connection_free(struct connection *connection);
