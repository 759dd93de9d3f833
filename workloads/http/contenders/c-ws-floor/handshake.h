/* The handshake of WebSocket (RFC 6455, 4.2). */
#pragma once
#include <stddef.h>

enum {
    /* No answer is longer. */
    HANDSHAKE_MAX = 256,
};

/* Writes the answer to a request of `len` bytes without its empty line; returns its length. It is an upgrade where the request
 * asks for one at /ws; else the connection is to be closed behind it, and `*upgraded` is 0. */
size_t handshake(const char *request, size_t len, char *out, int *upgraded);
