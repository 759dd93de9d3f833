/* The floor of `echo-ws`: the least program that echoes frames of WebSocket. It knows no extensions, and looks at no text. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"

enum {
    BACKLOG = 4096,
    MAX_WORKERS = 1024,
    EVENTS = 256,
};

static int listener, count, polls[MAX_WORKERS];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* Where to listen: on loopback, unless other machines are to reach it. */
static struct sockaddr_in place(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    const char *host = getenv("HOST");
    if (!host || !*host) host = "127.0.0.1";
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) fail("HOST");
    return address;
}

static int listen_on(int port) {
    int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = place(port);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); /* accepted sockets inherit it */
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) fail("bind");
    if (listen(fd, BACKLOG) < 0) fail("listen");
    return fd;
}

static void watch(int poll, int how, int fd, uint32_t events, void *what) {
    struct epoll_event event = {.events = events, .data.ptr = what};
    if (epoll_ctl(poll, how, fd, &event) < 0) fail("epoll_ctl");
}

/* New connections go round the workers in turn. */
static void on_connect(void) {
    static int next;
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    struct connection *c = connection_new(fd);
    if (c) watch(polls[next++ % count], EPOLL_CTL_ADD, fd, EPOLLIN, c);
    else close(fd);
}

static void on_event(int poll, struct connection *c, uint32_t events) {
    enum wanted next = connection_proceed(c);
    if (next == NOTHING_MORE) return connection_free(c);
    /* An event for room means that this was waited for. */
    int waited = (events & EPOLLOUT) != 0;
    if (waited || next == TO_WRITE)
        watch(poll, EPOLL_CTL_MOD, connection_fd(c), next == TO_WRITE ? EPOLLOUT : EPOLLIN, c);
}

static void *run(void *poll_of) {
    int poll = *(int *)poll_of;
    struct epoll_event events[EVENTS];
    for (;;) {
        int n = epoll_wait(poll, events, EVENTS, -1);
        for (int i = 0; i < n; i++) {
            struct connection *c = events[i].data.ptr;
            if (c) on_event(poll, c, events[i].events);
            else on_connect();
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    count = argc == 3 ? atoi(argv[2]) : 0;
    if (count < 1 || count > MAX_WORKERS) {
        fprintf(stderr, "usage: server PORT THREADS\n");
        return 2;
    }
    listener = listen_on(atoi(argv[1]));
    for (int i = 0; i < count; i++)
        if ((polls[i] = epoll_create1(EPOLL_CLOEXEC)) < 0) fail("epoll_create1");
    watch(polls[0], EPOLL_CTL_ADD, listener, EPOLLIN, NULL);
    for (int i = 1; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run, &polls[i]) != 0) fail("pthread_create");
    }
    run(&polls[0]);
}
