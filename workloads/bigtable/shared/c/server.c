#define _GNU_SOURCE
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
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
    BACKLOG = 4096,
    IN_SIZE = 65536, /* a request that does not fit is a peer out of its mind */
};

struct connection {
    int fd, writing;
    struct answer answer;
    size_t in_len;
    char in[IN_SIZE];
};

struct worker {
    int poll, listener;
    protocol *speak;
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

void answer_reserve(struct answer *answer, size_t room) {
    if (room <= answer->room) return;
    free(answer->bytes); /* of no use any more: nothing of it has to be kept */
    answer->bytes = malloc(room);
    if (!answer->bytes) fail("malloc");
    answer->room = room;
}

static void watch(const struct worker *w, int how, int fd, uint32_t events, void *what) {
    struct epoll_event event = {.events = events, .data.ptr = what};
    if (epoll_ctl(w->poll, how, fd, &event) < 0) fail("epoll_ctl");
}

static void drop(struct connection *c) {
    close(c->fd);
    free(c->answer.bytes);
    free(c);
}

/* Sends what is to be sent; 1: all is, 0: the peer takes no more now, -1: it is gone. */
static int deliver(struct connection *c) {
    struct answer *a = &c->answer;
    while (a->from < a->to) {
        ssize_t sent = send(c->fd, a->bytes + a->from, a->to - a->from, MSG_NOSIGNAL);
        if (sent < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
        a->from += sent;
    }
    return 1;
}

/* Whether the connection is watched for room to write, and nothing else. */
static void set_writing(const struct worker *w, struct connection *c, int writing) {
    if (c->writing == writing) return;
    c->writing = writing;
    watch(w, EPOLL_CTL_MOD, c->fd, writing ? EPOLLOUT : EPOLLIN, c);
}

/* Answers one request after the other, as long as they are there and the peer takes the answers. */
static void proceed(const struct worker *w, struct connection *c) {
    for (;;) {
        int sent = deliver(c);
        if (sent < 0 || (sent > 0 && c->answer.close)) return drop(c);
        set_writing(w, c, sent == 0);
        if (sent == 0) return;
        long used = c->in_len > 0 ? w->speak(c->in, c->in_len, &c->answer) : 0;
        if (used < 0 || (used == 0 && c->in_len == IN_SIZE)) return drop(c);
        if (used == 0) return;
        c->in_len -= used;
        memmove(c->in, c->in + used, c->in_len);
    }
}

static void on_readable(const struct worker *w, struct connection *c) {
    ssize_t got = recv(c->fd, c->in + c->in_len, IN_SIZE - c->in_len, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return drop(c);
    c->in_len += got;
    proceed(w, c);
}

static void on_connect(const struct worker *w) {
    int on = 1, fd = accept4(w->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return; /* another thread was quicker, or the peer is gone */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct connection *c = malloc(sizeof *c);
    if (!c) fail("malloc");
    c->fd = fd, c->writing = 0, c->in_len = 0;
    c->answer = (struct answer){0};
    watch(w, EPOLL_CTL_ADD, fd, EPOLLIN, c);
}

static void *run(void *worker) {
    const struct worker *w = worker;
    struct epoll_event events[256];
    for (;;) {
        int n = epoll_wait(w->poll, events, 256, -1);
        for (int i = 0; i < n; i++) {
            struct connection *c = events[i].data.ptr;
            if (!c) on_connect(w);
            else if (c->writing) proceed(w, c);
            else on_readable(w, c);
        }
    }
    return NULL;
}

static struct worker *new_worker(int listener, protocol *speak) {
    struct worker *w = malloc(sizeof *w);
    if (!w) fail("malloc");
    *w = (struct worker){.poll = epoll_create1(EPOLL_CLOEXEC), .listener = listener, .speak = speak};
    if (w->poll < 0) fail("epoll_create1");
    watch(w, EPOLL_CTL_ADD, listener, EPOLLIN | EPOLLEXCLUSIVE, NULL);
    return w;
}

int listen_on(int port) {
    int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0) fail("bind");
    if (listen(listener, BACKLOG) < 0) fail("listen");
    return listener;
}

void serve(int listener, int threads, protocol *speak) {
    fcntl(listener, F_SETFL, O_NONBLOCK);
    for (int i = 1; i < threads; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run, new_worker(listener, speak)) != 0) fail("pthread_create");
    }
    run(new_worker(listener, speak));
}
