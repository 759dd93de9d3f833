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
    int rows;   /* questions that are not answered yet */
    int alone;  /* one of them is of several rows: requests behind it wait */
    int gone;   /* closed, but rows are still to come */
    char *tail; /* requests that are not answered yet, and the beginning of one */
    size_t tail_len;
    char *held; /* answers that the peer does not take yet; nothing is read until it has */
    size_t held_len;
};

/* What is asked of the database for a request. */
struct question {
    struct connection *c;
    enum { ONE_ROW, SOME_ROWS, ROWS_TO_CHANGE, A_CHANGE, THE_FORTUNES } what;
    unsigned count, have; /* rows that are wanted, and that have come */
    struct row *rows;     /* of several */
};

struct worker {
    int poll, listener;
    void (*accepted)(int fd);
    struct answers answers;
    unsigned random;
    struct sqlite3_stmt *sqlite;
    struct pg_conn *postgres;
    int writing;            /* the database's socket is watched for room, too */
    struct question *asked; /* a ring: what waits for results, in order */
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

static void wait_for(struct worker *w, struct question question) {
    if (w->count == w->room) {
        size_t room = w->room ? 2 * w->room : 64;
        struct question *asked = allocate(room * sizeof *asked);
        for (size_t i = 0; i < w->count; i++) asked[i] = w->asked[(w->first + i) % w->room];
        free(w->asked);
        w->asked = asked, w->first = 0, w->room = room;
    }
    w->asked[(w->first + w->count++) % w->room] = question;
}

static void ask(struct worker *w, struct connection *c) {
    wait_for(w, (struct question){.c = c, .what = ONE_ROW});
    c->rows++;
    postgres_ask(w->postgres, random_id(&w->random));
}

static int by_id(const void *a, const void *b) {
    unsigned one = ((const struct row *)a)->id, other = ((const struct row *)b)->id;
    return (one > other) - (one < other);
}

/* Draws ids; where rows are to change, they are all different and sorted, so that no two requests wait for each other. */
static void draw_ids(struct worker *w, struct row *rows, unsigned count, int different) {
    char drawn[ROWS + 1] = {0};
    for (unsigned i = 0; i < count;) {
        unsigned id = random_id(&w->random);
        if (different && drawn[id]++) continue;
        rows[i++].id = id;
    }
    if (different) qsort(rows, count, sizeof *rows, by_id);
}

static void ask_rows(struct worker *w, struct connection *c, unsigned count, int to_change) {
    struct row *rows = allocate(count * sizeof *rows);
    draw_ids(w, rows, count, to_change);
    for (unsigned i = 0; i < count; i++) postgres_ask(w->postgres, rows[i].id);
    wait_for(w, (struct question){c, to_change ? ROWS_TO_CHANGE : SOME_ROWS, count, 0, rows});
    c->rows++, c->alone = 1;
}

static void ask_fortunes(struct worker *w, struct connection *c) {
    wait_for(w, (struct question){.c = c, .what = THE_FORTUNES});
    postgres_ask_fortunes(w->postgres);
    c->rows++, c->alone = 1;
}

/* False: the connection was dropped. */
static int deliver_rows(struct worker *w, struct connection *c, const struct row *rows, unsigned count) {
    char *answer = allocate(answer_rows_max(count)), *end = answer_rows(&w->answers, rows, count, answer);
    int here = deliver(w, c, answer, end - answer);
    free(answer);
    return here;
}

static int deliver_cached(struct worker *w, struct connection *c, unsigned count) {
    struct row rows[MOST_ROWS];
    for (unsigned i = 0; i < count; i++) rows[i] = postgres_cached(w->postgres, random_id(&w->random));
    return deliver_rows(w, c, rows, count);
}

static int is_get(const char *request, const char *path, size_t len) {
    return memcmp(request, "GET ", 4) == 0 && memcmp(request + 4, path, len) == 0 && request[4 + len] == ' ';
}

#define IS_GET(request, len, path) ((len) > sizeof path + 4 && is_get(request, path, sizeof path - 1))

/* What a request says behind a path and its parameter's name; NULL where it is for another path. */
static const char *parameter(const char *request, size_t len, const char *path) {
    size_t path_len = strlen(path);
    int is = len > path_len + 4 && memcmp(request, "GET ", 4) == 0 && memcmp(request + 4, path, path_len) == 0;
    return is ? request + 4 + path_len : NULL;
}

/* How many rows: 1 to 500, and 1 if it is no number. */
static unsigned count_of(const char *text) {
    unsigned count = 0;
    for (; *text >= '0' && *text <= '9' && count <= MOST_ROWS; text++) count = 10 * count + (*text - '0');
    if (count > MOST_ROWS) return MOST_ROWS;
    return count > 0 && (*text == ' ' || *text == '&') ? count : 1;
}

/* Asks the database for what a request needs that is alone on its connection; false: it is none of those. */
static int ask_alone(struct worker *w, struct connection *c, const char *request, size_t len) {
    const char *count;
    if (!w->postgres) return 0;
    if ((count = parameter(request, len, "/queries?queries="))) ask_rows(w, c, count_of(count), 0);
    else if ((count = parameter(request, len, "/updates?queries="))) ask_rows(w, c, count_of(count), 1);
    else if (IS_GET(request, len, "/fortunes")) ask_fortunes(w, c);
    else return 0;
    return 1;
}

/* Answers all whole requests in [in, end), or those before the first that must wait for what was asked before it.
 * Returns where the answers end that are still to be delivered, or NULL where the connection was dropped; leaves `*in` at
 * the first request that is not answered. */
static char *answer_all(struct worker *w, struct connection *c, char **in, char *end, char *out) {
    char *stop;
    const char *count;
    while (!c->alone && (stop = memmem(*in, end - *in, "\r\n\r\n", 4))) {
        size_t len = stop - *in;
        int is_db = IS_GET(*in, len, "/db");
        if (is_db && w->postgres) ask(w, c);
        else if (c->rows > 0) break;
        else if (IS_GET(*in, len, "/plaintext")) out = answer_plaintext(&w->answers, out);
        else if (IS_GET(*in, len, "/json")) out = answer_json(&w->answers, out);
        else if (is_db && w->sqlite)
            out = answer_row(&w->answers, sqlite_row(w->sqlite, random_id(&w->random)), out);
        else if (w->postgres && (count = parameter(*in, len, "/cached-queries?count="))) {
            if (!deliver(w, c, w->out, out - w->out) || !deliver_cached(w, c, count_of(count))) return NULL;
            out = w->out;
        } else if (!ask_alone(w, c, *in, len)) out = answer_missing(&w->answers, out);
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
    if (!out_end) return;
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

static int deliver_row(struct worker *w, struct connection *c, struct row row) {
    char answer[ANSWER_MAX], *end = answer_row(&w->answers, row, answer);
    return deliver(w, c, answer, end - answer);
}

static int deliver_fortunes(struct worker *w, struct connection *c, const struct pg_result *result) {
    struct fortune fortunes[MOST_FORTUNES + 1];
    unsigned count = result_fortunes(result, fortunes);
    fortunes[count++] = (struct fortune){0, "Additional fortune added at request time."};
    char *answer = allocate(answer_fortunes_max(fortunes, count));
    char *end = answer_fortunes(&w->answers, fortunes, count, answer);
    int here = deliver(w, c, answer, end - answer);
    free(answer);
    return here;
}

/* Gives rows that have been read new numbers. */
static void change(struct worker *w, struct question question) {
    for (unsigned i = 0; i < question.count; i++) question.rows[i].random_number = random_id(&w->random);
    postgres_change(w->postgres, question.rows, question.count);
    question.what = A_CHANGE;
    wait_for(w, question);
}

/* Answers a request with what has come for it; false: the connection was dropped. */
static int answer_question(struct worker *w, const struct question *q, const struct pg_result *result) {
    if (q->what == ONE_ROW) return deliver_row(w, q->c, result_row(result));
    if (q->what == THE_FORTUNES) return deliver_fortunes(w, q->c, result);
    return deliver_rows(w, q->c, q->rows, q->count);
}

static void on_result(struct worker *w, const struct pg_result *result) {
    struct question *first = &w->asked[w->first];
    if (first->what == SOME_ROWS || first->what == ROWS_TO_CHANGE) {
        first->rows[first->have++] = result_row(result);
        if (first->have < first->count) return;
    }
    struct question question = *first;
    struct connection *c = question.c;
    w->first = (w->first + 1) % w->room;
    w->count--;
    if (question.what == ROWS_TO_CHANGE) return change(w, question);
    c->rows--, c->alone = 0;
    if (c->gone) drop(c);
    else if (answer_question(w, &question, result) && c->rows == 0 && c->tail_len > 0) proceed(w, c, 0);
    free(question.rows);
}

static void on_results(struct worker *w) {
    struct pg_result *result;
    postgres_receive(w->postgres);
    while ((result = postgres_result(w->postgres))) {
        on_result(w, result);
        result_clear(result);
    }
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
        if (rows) on_results(w);
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
