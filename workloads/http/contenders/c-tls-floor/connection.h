/* A connection over TLS: requests in, answers out. */
#pragma once
#include <openssl/ssl.h>

#include "answers.h"

struct connection;

/* What a connection waits for. */
enum wanted { TO_READ, TO_WRITE, NOTHING_MORE };

/* Over an accepted socket that does not block; its handshake is part of the first reads. NULL: there is no memory for it. */
struct connection *connection_new(SSL_CTX *tls, int fd);
/* Reads and answers what has come. After `NOTHING_MORE` the peer is gone. */
enum wanted connection_proceed(struct connection *connection, const struct answers *answers);
int connection_fd(const struct connection *connection);
/* Closes it. */
void connection_free(struct connection *connection);
