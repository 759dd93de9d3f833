#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "handshake.h"

enum {
    IN_SIZE = 65536, /* a frame that is longer is a peer out of its mind */
    MASK = 4,
    MASKED = 0x80,
    CLOSE = 8,
    PING = 9,
    PONG = 10,
};

struct connection {
    int fd;
    int upgraded;  /* the handshake is done */
    int ending;    /* nothing is read any more */
    size_t in_len; /* the beginning of a request or a frame */
    unsigned char *in;
    char *held; /* what the peer does not take yet; nothing is read until it has */
    size_t held_len;
};

struct connection *connection_new(int fd) {
    struct connection *c = calloc(1, sizeof *c);
    if (c) c->fd = fd;
    return c;
}

int connection_fd(const struct connection *c) {
    return c->fd;
}

void connection_free(struct connection *c) {
    close(c->fd);
    free(c->in);
    free(c->held);
    free(c);
}

/* Sends; what the peer does not take yet is held. */
static enum wanted send_all(struct connection *c, const void *bytes, size_t len) {
    ssize_t sent = len > 0 ? send(c->fd, bytes, len, MSG_NOSIGNAL) : 0;
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return NOTHING_MORE;
    size_t rest = len - (sent > 0 ? sent : 0);
    if (rest == 0) return c->ending ? NOTHING_MORE : TO_READ;
    c->held = malloc(rest);
    if (!c->held) return NOTHING_MORE;
    memcpy(c->held, (const char *)bytes + len - rest, rest);
    c->held_len = rest;
    return TO_WRITE;
}

static enum wanted send_held(struct connection *c) {
    char *held = c->held;
    c->held = NULL;
    enum wanted next = send_all(c, held, c->held_len);
    free(held);
    return next;
}

/* The length of a frame's head (with its mask) and of its payload; 0: it is not there yet. */
static size_t head_of(const unsigned char *frame, size_t len, uint64_t *payload) {
    if (len < 2) return 0;
    size_t bytes = (frame[1] & 0x7f) == 127 ? 8 : (frame[1] & 0x7f) == 126 ? 2 : 0;
    size_t head = 2 + bytes + MASK;
    if (len < head) return 0;
    *payload = bytes ? 0 : frame[1] & 0x7f;
    for (size_t i = 0; i < bytes; i++) *payload = *payload << 8 | frame[2 + i];
    return head;
}

/* Echoes a frame: the same, without its mask. A ping is answered by a pong, a pong by nothing, a close by a close. */
static unsigned char *echo(struct connection *c, unsigned char *frame, size_t head, size_t payload, unsigned char *out) {
    const unsigned char *mask = frame + head - MASK, *text = frame + head;
    unsigned opcode = frame[0] & 0x0f;
    if (opcode == PONG) return out;
    c->ending = opcode == CLOSE;
    memcpy(out, frame, head - MASK);
    if (opcode == PING) out[0] = (frame[0] & 0xf0) | PONG;
    out[1] &= ~MASKED;
    out += head - MASK;
    for (size_t i = 0; i < payload; i++) out[i] = text[i] ^ mask[i % MASK];
    return out + payload;
}

/* Echoes all whole frames of the input; NULL: one is not allowed. `*in` is left behind them. */
static unsigned char *echo_all(struct connection *c, unsigned char **in, const unsigned char *end, unsigned char *out) {
    uint64_t payload;
    size_t head;
    while (!c->ending && (head = head_of(*in, end - *in, &payload))) {
        /* A client masks, and uses no bit that nobody agreed on (RFC 6455, 5.1 and 5.2). */
        if (!((*in)[1] & MASKED) || ((*in)[0] & 0x70) || payload > IN_SIZE) return NULL;
        if ((size_t)(end - *in) < head + payload) break;
        out = echo(c, *in, head, payload, out);
        *in += head + payload;
    }
    return out;
}

/* Answers the handshake, if it is whole; returns where the answer ends. */
static unsigned char *shake(struct connection *c, unsigned char **in, const unsigned char *end, unsigned char *out) {
    const unsigned char *stop = memmem(*in, end - *in, "\r\n\r\n", 4);
    if (!stop) return out;
    out += handshake((const char *)*in, stop - *in, (char *)out, &c->upgraded);
    c->ending = !c->upgraded;
    *in += stop + 4 - *in;
    return out;
}

static int keep(struct connection *c, const unsigned char *bytes, size_t len) {
    unsigned char *kept = NULL;
    if (len > 0) {
        kept = malloc(len);
        if (!kept) return 0;
        memcpy(kept, bytes, len);
    }
    free(c->in);
    c->in = kept, c->in_len = len;
    return 1;
}

enum wanted connection_proceed(struct connection *c) {
    /* Each thread has its own. What is sent is never longer than what came, but for the handshake. */
    static _Thread_local unsigned char input[2 * IN_SIZE + 16], output[2 * IN_SIZE + HANDSHAKE_MAX];
    if (c->held) return send_held(c);
    if (c->in_len > 0) memcpy(input, c->in, c->in_len);
    ssize_t got = recv(c->fd, input + c->in_len, IN_SIZE, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return TO_READ;
    if (got <= 0) return NOTHING_MORE;
    unsigned char *in = input, *end = input + c->in_len + got, *out = output;
    if (!c->upgraded) out = shake(c, &in, end, out);
    if (c->upgraded && !(out = echo_all(c, &in, end, out))) return NOTHING_MORE;
    if (end - in > IN_SIZE || !keep(c, in, end - in)) return NOTHING_MORE;
    return send_all(c, output, out - output);
}
