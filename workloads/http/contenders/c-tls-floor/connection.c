#define _GNU_SOURCE
#include "connection.h"

#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    IN_SIZE = 8192,  /* a request without an end that is longer is a peer out of its mind */
    REQUEST_MIN = 4, /* the empty line alone */
    OUT_SIZE = IN_SIZE / REQUEST_MIN * ANSWER_MAX,
};

struct connection {
    int fd;
    SSL *ssl;
    size_t in_len;
    char in[IN_SIZE]; /* the beginning of a request */
    char *held;       /* answers that the peer does not take yet; nothing is read until it has */
    size_t held_len;
};

struct connection *connection_new(SSL_CTX *tls, int fd) {
    struct connection *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->fd = fd;
    c->ssl = SSL_new(tls);
    if (!c->ssl || !SSL_set_fd(c->ssl, fd)) {
        SSL_free(c->ssl);
        free(c);
        return NULL;
    }
    SSL_set_accept_state(c->ssl);
    return c;
}

int connection_fd(const struct connection *c) {
    return c->fd;
}

void connection_free(struct connection *c) {
    SSL_free(c->ssl);
    close(c->fd);
    free(c->held);
    free(c);
}

static enum wanted wanted(struct connection *c, int result) {
    switch (SSL_get_error(c->ssl, result)) {
        case SSL_ERROR_WANT_READ: return TO_READ;
        case SSL_ERROR_WANT_WRITE: return TO_WRITE;
        default: return NOTHING_MORE;
    }
}

static int is_json(const char *request, size_t len) {
    static const char start[] = "GET /json ";
    return len >= sizeof start - 1 && memcmp(request, start, sizeof start - 1) == 0;
}

/* Answers all whole requests of the input, and keeps the rest; returns where the answers end. */
static char *answer_all(struct connection *c, const struct answers *answers, char *out) {
    char *in = c->in, *end = c->in + c->in_len, *stop;
    while ((stop = memmem(in, end - in, "\r\n\r\n", 4))) {
        out = is_json(in, stop - in) ? answer_json(answers, out) : answer_missing(answers, out);
        in = stop + 4;
    }
    c->in_len = end - in;
    if (in != c->in) memmove(c->in, in, c->in_len);
    return out;
}

/* Sends; what the peer does not take yet is held. */
static enum wanted send_all(struct connection *c, const char *bytes, size_t len) {
    int sent = SSL_write(c->ssl, bytes, len);
    if (sent == (int)len) return TO_READ;
    enum wanted next = sent > 0 ? TO_WRITE : wanted(c, sent);
    if (next == NOTHING_MORE) return next;
    size_t rest = len - (sent > 0 ? sent : 0);
    char *held = malloc(rest);
    if (!held) return NOTHING_MORE;
    memcpy(held, bytes + len - rest, rest);
    free(c->held);
    c->held = held, c->held_len = rest;
    return next;
}

static enum wanted send_held(struct connection *c) {
    char *held = c->held;
    size_t len = c->held_len;
    c->held = NULL, c->held_len = 0;
    enum wanted next = send_all(c, held, len);
    free(held);
    return next;
}

enum wanted connection_proceed(struct connection *c, const struct answers *answers) {
    char out[OUT_SIZE];
    ERR_clear_error();
    if (c->held) {
        enum wanted next = send_held(c);
        if (next == NOTHING_MORE || c->held) return next;
    }
    /* What OpenSSL has read ahead is not seen by epoll. */
    do {
        int got = SSL_read(c->ssl, c->in + c->in_len, IN_SIZE - c->in_len);
        if (got <= 0) return wanted(c, got);
        c->in_len += got;
        char *end = answer_all(c, answers, out);
        if (c->in_len == IN_SIZE) return NOTHING_MORE;
        if (end == out) continue;
        enum wanted next = send_all(c, out, end - out);
        if (next == NOTHING_MORE || c->held) return next;
    } while (SSL_has_pending(c->ssl));
    return TO_READ;
}
