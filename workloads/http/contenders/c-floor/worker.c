#define _GNU_SOURCE
#include "worker.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "answers.h"
#include "world.h"

enum {
    READ_SIZE = 65536,
    MAX_TAIL = 65536, /* requests that wait for rows, or one that is unfinished: more is a peer out of its mind */
    REQUEST_MIN = 4,  /* the empty line alone */
};

/* No answers to one read are longer. */
#define OUT_SIZE ((size_t)(READ_SIZE + MAX_TAIL) / REQUEST_MIN * ANSWER_MAX)

struct connection {
    int fd;
    int rows;   /* asked for and not answered yet */
    int gone;   /* closed, but rows are still to come */
    char *tail; /* requests that are not answered yet, and the beginning of one */
    size_t tail_len;
    char *held; /* answers that the peer does not take yet; nothing is read until it has */
    size_t held_len;
};

struct worker {
    int poll, listener;
    void (*accepted)(int fd);
    struct answers answers;
    unsigned random;
    struct sqlite3_stmt *sqlite;
    struct pg_conn *postgres;
    int writing;               /* the database's socket is watched for room, too */
    struct connection **asked; /* a ring: who waits for a row, in order */
    size_t first, count, room;
    char *in, *out;
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory) fail("malloc");
    return memory;
}

static void watch(struct worker *w, int how, int fd, uint32_t events, void *what) {
    struct epoll_event event = {.events = events, .data.ptr = what};
    if (epoll_ctl(w->poll, how, fd, &event) < 0) fail("epoll_ctl");
}

static void drop(struct connection *c) {
    if (!c->gone) {
        close(c->fd);
        free(c->tail);
        free(c->held);
    }
    c->gone = 1;
    if (c->rows == 0) free(c);
}

static void hold(struct worker *w, struct connection *c, const char *bytes, size_t len) {
    if (!c->held) watch(w, EPOLL_CTL_MOD, c->fd, EPOLLOUT, c);
    c->held = realloc(c->held, c->held_len + len);
    if (!c->held) fail("realloc");
    memcpy(c->held + c->held_len, bytes, len);
    c->held_len += len;
}

/* Sends; what the peer does not take yet is returned as a count; -1: it is gone. */
static ssize_t unsent(int fd, const char *bytes, size_t len) {
    ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);
    if (sent >= 0) return len - sent;
    return errno == EAGAIN || errno == EINTR ? (ssize_t)len : -1;
}

/* False: the peer is gone, and the connection dropped. */
static int deliver(struct worker *w, struct connection *c, const char *bytes, size_t len) {
    ssize_t rest = c->held ? (ssize_t)len : len > 0 ? unsent(c->fd, bytes, len) : 0;
    if (rest > 0) hold(w, c, bytes + len - rest, rest);
    if (rest < 0) drop(c);
    return rest >= 0;
}

static void ask(struct worker *w, struct connection *c) {
    if (w->count == w->room) {
        size_t room = w->room ? 2 * w->room : 64;
        struct connection **asked = allocate(room * sizeof *asked);
        for (size_t i = 0; i < w->count; i++) asked[i] = w->asked[(w->first + i) % w->room];
        free(w->asked);
        w->asked = asked, w->first = 0, w->room = room;
    }
    w->asked[(w->first + w->count++) % w->room] = c;
    c->rows++;
    postgres_ask(w->postgres, random_id(&w->random));
}

static int is_get(const char *request, const char *path, size_t len) {
    return memcmp(request, "GET ", 4) == 0 && memcmp(request + 4, path, len) == 0 && request[4 + len] == ' ';
}

#define IS_GET(request, len, path) ((len) > sizeof path + 4 && is_get(request, path, sizeof path - 1))

/* Answers all whole requests in [in, end), or those before the first that must wait for rows asked for before it.
 * Returns where the answers end; leaves `*in` at the first that is not answered. */
static char *answer_all(struct worker *w, struct connection *c, char **in, char *end, char *out) {
    char *stop;
    while ((stop = memmem(*in, end - *in, "\r\n\r\n", 4))) {
        size_t len = stop - *in;
        int is_db = IS_GET(*in, len, "/db");
        if (is_db && w->postgres) ask(w, c);
        else if (c->rows > 0) break;
        else if (IS_GET(*in, len, "/plaintext")) out = answer_plaintext(&w->answers, out);
        else if (IS_GET(*in, len, "/json")) out = answer_json(&w->answers, out);
        else if (is_db && w->sqlite)
            out = answer_row(&w->answers, sqlite_row(w->sqlite, random_id(&w->random)), out);
        else out = answer_missing(&w->answers, out);
        *in = stop + 4;
    }
    return out;
}

static void keep_tail(struct connection *c, const char *bytes, size_t len) {
    char *tail = len > 0 ? memcpy(allocate(len), bytes, len) : NULL;
    free(c->tail);
    c->tail = tail, c->tail_len = len;
}

/* Answers what can be answered of the tail and of `got` bytes behind it in the input buffer. */
static void proceed(struct worker *w, struct connection *c, size_t got) {
    char *in = w->in, *end = w->in + c->tail_len + got;
    if (c->tail_len > 0) memcpy(in, c->tail, c->tail_len);
    char *out_end = answer_all(w, c, &in, end, w->out);
    if (end - in > MAX_TAIL) return drop(c);
    keep_tail(c, in, end - in);
    deliver(w, c, w->out, out_end - w->out);
}

static void on_readable(struct worker *w, struct connection *c) {
    ssize_t got = recv(c->fd, w->in + c->tail_len, READ_SIZE, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return drop(c);
    proceed(w, c, got);
}

static void on_writable(struct worker *w, struct connection *c) {
    ssize_t rest = unsent(c->fd, c->held, c->held_len);
    if (rest < 0) return drop(c);
    memmove(c->held, c->held + c->held_len - rest, rest);
    c->held_len = rest;
    if (rest > 0) return;
    free(c->held);
    c->held = NULL;
    watch(w, EPOLL_CTL_MOD, c->fd, EPOLLIN, c);
}

static void on_row(struct worker *w, struct row row) {
    struct connection *c = w->asked[w->first];
    w->first = (w->first + 1) % w->room;
    w->count--, c->rows--;
    if (c->gone) return drop(c);
    char answer[ANSWER_MAX], *end = answer_row(&w->answers, row, answer);
    if (deliver(w, c, answer, end - answer) && c->rows == 0 && c->tail_len > 0) proceed(w, c, 0);
}

static void on_rows(struct worker *w) {
    struct row row;
    postgres_receive(w->postgres);
    while (postgres_row(w->postgres, &row)) on_row(w, row);
}

/* One write to the database for all that this round of events asked. */
static void send_questions(struct worker *w) {
    int writing = postgres_send(w->postgres);
    if (writing == w->writing) return;
    w->writing = writing;
    watch(w, EPOLL_CTL_MOD, postgres_fd(w->postgres), writing ? EPOLLIN | EPOLLOUT : EPOLLIN, w->postgres);
}

static void on_connect(struct worker *w) {
    int fd = accept4(w->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) w->accepted(fd);
}

void *worker_run(void *worker) {
    struct worker *w = worker;
    struct epoll_event events[256];
    for (;;) {
        int n = epoll_wait(w->poll, events, 256, -1), rows = 0;
        refresh(&w->answers);
        for (int i = 0; i < n; i++) {
            struct connection *c = events[i].data.ptr;
            if (!c) on_connect(w);
            else if ((void *)c == w->postgres) rows = 1;
            else if (c->held) on_writable(w, c);
            else on_readable(w, c);
        }
        /* After the others, since it may drop connections that have an event of their own. */
        if (rows) on_rows(w);
        if (w->postgres) send_questions(w);
    }
    return NULL;
}

struct worker *worker_new(const char *sqlite, const char *postgres, unsigned seed) {
    struct worker *w = memset(allocate(sizeof *w), 0, sizeof *w);
    if ((w->poll = epoll_create1(EPOLL_CLOEXEC)) < 0) fail("epoll_create1");
    w->in = allocate(READ_SIZE + MAX_TAIL);
    w->out = allocate(OUT_SIZE);
    w->random = seed | 1;
    if (sqlite && *sqlite) w->sqlite = sqlite_open(sqlite);
    if (postgres && *postgres) {
        w->postgres = postgres_open(postgres);
        watch(w, EPOLL_CTL_ADD, postgres_fd(w->postgres), EPOLLIN, w->postgres);
    }
    return w;
}

void worker_give(struct worker *w, int fd) {
    struct connection *c = memset(allocate(sizeof *c), 0, sizeof *c);
    c->fd = fd;
    watch(w, EPOLL_CTL_ADD, fd, EPOLLIN, c);
}

void worker_accept(struct worker *w, int listener, void (*accepted)(int fd)) {
    w->listener = listener;
    w->accepted = accepted;
    watch(w, EPOLL_CTL_ADD, listener, EPOLLIN, NULL);
}
