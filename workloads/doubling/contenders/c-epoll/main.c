/* Doubles integers, one a line: the floor. One epoll instance a thread; nothing is parsed into numbers, the
 * decimal digits themselves are doubled. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MAX_LINE = 65536,
    READ_SIZE = 65536,
    BACKLOG = 4096,
    MAX_WORKERS = 1024,
};

static const char REFUSAL[] = "not an integer\n";

/* The shortest line is its end alone, and its answer is the refusal: no answers to a read are longer than this. */
#define OUT_SIZE ((MAX_LINE + READ_SIZE) * sizeof REFUSAL)

struct connection {
    int fd;
    int closing;    /* close once `held` is sent */
    char *tail;     /* a line's beginning whose end has not come yet */
    size_t tail_len;
    char *held;     /* answers that the peer does not take yet; nothing is read until it has */
    size_t held_len;
};

static int listener;
static int workers;
static int polls[MAX_WORKERS];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void *copy_of(const char *bytes, size_t len) {
    char *copy = malloc(len);
    if (!copy) fail("malloc");
    return memcpy(copy, bytes, len);
}

static int is_digits(const char *s, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (s[i] < '0' || s[i] > '9') return 0;
    return len > 0;
}

/* Writes the answer to a line; returns where it ends. A digit's double depends on nothing but itself and on
 * whether its right neighbour carries, so one pass from the left will do. */
static char *answer(char *out, const char *s, size_t len) {
    int negative = len > 0 && s[0] == '-';
    s += negative, len -= negative;
    if (!is_digits(s, len)) return mempcpy(out, REFUSAL, sizeof REFUSAL - 1);
    while (len > 1 && *s == '0') s++, len--;
    if (negative && *s != '0') *out++ = '-';
    if (*s >= '5') *out++ = '1';
    for (size_t i = 0; i < len; i++) {
        int carry = i + 1 < len && s[i + 1] >= '5';
        *out++ = '0' + (s[i] - '0') * 2 % 10 + carry;
    }
    *out++ = '\n';
    return out;
}

/* Answers all whole lines in [in, end); returns where the answers end, leaves `*in` at the first unfinished line. */
static char *answer_all(char **in, char *end, char *out, int *closing) {
    char *newline;
    while ((newline = memchr(*in, '\n', end - *in))) {
        size_t len = newline - *in;
        if (len > 0 && newline[-1] == '\r') len--;
        if (len == 3 && memcmp(*in, "end", 3) == 0) {
            *closing = 1;
            break;
        }
        out = answer(out, *in, len);
        *in = newline + 1;
    }
    return out;
}

static void drop(struct connection *c) {
    close(c->fd);
    free(c->tail);
    free(c->held);
    free(c);
}

static void watch(int poll, struct connection *c, int how, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = c};
    if (epoll_ctl(poll, how, c->fd, &event) < 0) fail("epoll_ctl");
}

/* Sends; what the peer does not take yet is returned as a count. */
static ssize_t unsent(int fd, const char *bytes, size_t len) {
    ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);
    if (sent >= 0) return len - sent;
    return errno == EAGAIN || errno == EINTR ? (ssize_t)len : -1;
}

static void hold(int poll, struct connection *c, const char *bytes, size_t len) {
    c->held = copy_of(bytes, len);
    c->held_len = len;
    watch(poll, c, EPOLL_CTL_MOD, EPOLLOUT);
}

static void on_writable(int poll, struct connection *c) {
    ssize_t rest = unsent(c->fd, c->held, c->held_len);
    if (rest < 0) return drop(c);
    memmove(c->held, c->held + c->held_len - rest, rest);
    c->held_len = rest;
    if (rest > 0) return;
    if (c->closing) return drop(c);
    free(c->held);
    c->held = NULL;
    watch(poll, c, EPOLL_CTL_MOD, EPOLLIN);
}

static void keep_tail(struct connection *c, const char *bytes, size_t len) {
    free(c->tail);
    c->tail = len > 0 ? copy_of(bytes, len) : NULL;
    c->tail_len = len;
}

static void on_readable(int poll, struct connection *c, char *in, char *out) {
    if (c->tail_len > 0) memcpy(in, c->tail, c->tail_len);
    ssize_t got = recv(c->fd, in + c->tail_len, READ_SIZE, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return drop(c);
    char *end = in + c->tail_len + got;
    char *out_end = answer_all(&in, end, out, &c->closing);
    if (end - in > MAX_LINE) c->closing = 1; /* a line of absurd length */
    if (!c->closing) keep_tail(c, in, end - in);
    ssize_t rest = out_end > out ? unsent(c->fd, out, out_end - out) : 0;
    if (rest < 0 || (rest == 0 && c->closing)) return drop(c);
    if (rest > 0) hold(poll, c, out_end - rest, rest);
}

/* New connections go round the workers in turn. */
static void on_connect(void) {
    static int next;
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    struct connection *c = calloc(1, sizeof *c);
    if (!c) fail("calloc");
    c->fd = fd;
    watch(polls[next++ % workers], c, EPOLL_CTL_ADD, EPOLLIN);
}

static void *work(void *poll_of_mine) {
    int poll = *(int *)poll_of_mine;
    char *in = malloc(MAX_LINE + READ_SIZE), *out = malloc(OUT_SIZE);
    struct epoll_event events[256];
    if (!in || !out) fail("malloc");
    for (;;) {
        int n = epoll_wait(poll, events, 256, -1);
        for (int i = 0; i < n; i++) {
            struct connection *c = events[i].data.ptr;
            if (!c) on_connect();
            else if (c->held) on_writable(poll, c);
            else on_readable(poll, c, in, out);
        }
    }
    return NULL;
}

/* Where to listen: on loopback, unless other machines are to reach it. */
static struct sockaddr_in place(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    const char *host = getenv("HOST");
    if (!host || !*host) host = "127.0.0.1";
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) fail("HOST");
    return address;
}

static void listen_on(int port) {
    int on = 1;
    struct sockaddr_in address = place(port);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); /* accepted sockets inherit it */
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0) fail("bind");
    if (listen(listener, BACKLOG) < 0) fail("listen");
}

int main(int argc, char **argv) {
    workers = argc == 3 ? atoi(argv[2]) : 0;
    if (workers < 1 || workers > MAX_WORKERS) {
        fprintf(stderr, "usage: server PORT THREADS\n");
        return 2;
    }
    listen_on(atoi(argv[1]));
    for (int i = 0; i < workers; i++)
        if ((polls[i] = epoll_create1(EPOLL_CLOEXEC)) < 0) fail("epoll_create1");
    struct epoll_event connects = {.events = EPOLLIN, .data.ptr = NULL};
    epoll_ctl(polls[0], EPOLL_CTL_ADD, listener, &connects);
    for (int i = 1; i < workers; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, &polls[i]) != 0) fail("pthread_create");
    }
    work(&polls[0]);
}
