#include "connection.h"

#include <errno.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "streams.h"

enum {
    IN_SIZE = 16384,
    OUT_SIZE = 65536, /* frames are gathered up to here */
};

struct connection {
    int fd;
    SSL *ssl; /* NULL in clear */
    nghttp2_session *session;
    char *held; /* what the peer does not take yet; nothing is read until it has */
    size_t held_len;
};

struct connection *connection_new(SSL_CTX *tls, int fd, const struct date *date) {
    struct connection *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->fd = fd;
    c->session = session_new(date);
    c->ssl = tls ? SSL_new(tls) : NULL;
    if (c->session && (!tls || (c->ssl && SSL_set_fd(c->ssl, fd)))) {
        if (tls) SSL_set_accept_state(c->ssl);
        return c;
    }
    SSL_free(c->ssl);
    nghttp2_session_del(c->session);
    free(c);
    return NULL;
}

int connection_fd(const struct connection *c) {
    return c->fd;
}

void connection_free(struct connection *c) {
    nghttp2_session_del(c->session);
    SSL_free(c->ssl);
    close(c->fd);
    free(c->held);
    free(c);
}

/* What is to be waited for after a call that moved `result` bytes, which are none. */
static enum wanted wanted(struct connection *c, ssize_t result, enum wanted else_) {
    if (!c->ssl) return result < 0 && (errno == EAGAIN || errno == EINTR) ? else_ : NOTHING_MORE;
    switch (SSL_get_error(c->ssl, result)) {
        case SSL_ERROR_WANT_READ: return TO_READ;
        case SSL_ERROR_WANT_WRITE: return TO_WRITE;
        default: return NOTHING_MORE;
    }
}

static ssize_t read_some(struct connection *c, void *in, size_t room) {
    return c->ssl ? SSL_read(c->ssl, in, room) : recv(c->fd, in, room, 0);
}

/* Sends; what the peer does not take yet is held. */
static enum wanted send_all(struct connection *c, const char *bytes, size_t len) {
    ssize_t sent = c->ssl ? SSL_write(c->ssl, bytes, len) : send(c->fd, bytes, len, MSG_NOSIGNAL);
    if (sent == (ssize_t)len) return TO_READ;
    enum wanted next = sent > 0 ? TO_WRITE : wanted(c, sent, TO_WRITE);
    if (next == NOTHING_MORE) return next;
    size_t rest = len - (sent > 0 ? sent : 0);
    c->held = malloc(rest);
    if (!c->held) return NOTHING_MORE;
    memcpy(c->held, bytes + len - rest, rest);
    c->held_len = rest;
    return next;
}

static enum wanted send_held(struct connection *c) {
    char *held = c->held;
    c->held = NULL;
    enum wanted next = send_all(c, held, c->held_len);
    free(held);
    return next;
}

/* Sends all frames that there are, together. */
static enum wanted send_frames(struct connection *c) {
    char out[OUT_SIZE];
    size_t len = 0;
    const uint8_t *frame;
    ssize_t frame_len;
    while ((frame_len = nghttp2_session_mem_send(c->session, &frame)) > 0) {
        if (len + frame_len > OUT_SIZE) {
            enum wanted next = send_all(c, out, len);
            if (next == NOTHING_MORE) return next;
            len = 0;
            if (c->held) { /* the frame is behind it */
                char *more = realloc(c->held, c->held_len + frame_len);
                if (!more) return NOTHING_MORE;
                memcpy(more + c->held_len, frame, frame_len);
                c->held = more, c->held_len += frame_len;
                return next;
            }
        }
        memcpy(out + len, frame, frame_len);
        len += frame_len;
    }
    if (frame_len < 0) return NOTHING_MORE;
    return len > 0 ? send_all(c, out, len) : TO_READ;
}

static int is_over(const struct connection *c) {
    return !nghttp2_session_want_read(c->session) && !nghttp2_session_want_write(c->session);
}

enum wanted connection_proceed(struct connection *c) {
    uint8_t in[IN_SIZE];
    enum wanted next = TO_READ;
    ERR_clear_error();
    if (c->held) {
        next = send_held(c);
        if (next == NOTHING_MORE || c->held) return next;
        next = send_frames(c);
        if (next == NOTHING_MORE || c->held) return next;
    }
    /* What OpenSSL has read ahead is not seen by epoll. */
    do {
        ssize_t got = read_some(c, in, IN_SIZE);
        if (got == 0 && !c->ssl) return NOTHING_MORE;
        if (got <= 0) return wanted(c, got, TO_READ);
        if (nghttp2_session_mem_recv(c->session, in, got) < 0) return NOTHING_MORE;
        next = send_frames(c);
        if (next == NOTHING_MORE || c->held || is_over(c)) return c->held ? next : is_over(c) ? NOTHING_MORE : next;
    } while (c->ssl && SSL_has_pending(c->ssl));
    return next;
}
