/* The floor of `http`: the least program that gives the right answers. It knows GET and connections that stay open,
 * and takes no bodies. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "worker.h"

enum {
    BACKLOG = 4096,
    MAX_WORKERS = 1024,
};

static int count;
static struct worker *workers[MAX_WORKERS];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* New connections go round the workers in turn. */
static void deal(int fd) {
    static int next;
    worker_give(workers[next++ % count], fd);
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
    int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = place(port);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); /* accepted sockets inherit it */
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0) fail("bind");
    if (listen(listener, BACKLOG) < 0) fail("listen");
    return listener;
}

static struct worker *new_worker(void) {
    unsigned seed;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed) fail("getrandom");
    return worker_new(getenv("SQLITE"), getenv("POSTGRESQL"), seed);
}

int main(int argc, char **argv) {
    count = argc == 3 ? atoi(argv[2]) : 0;
    if (count < 1 || count > MAX_WORKERS) {
        fprintf(stderr, "usage: server PORT THREADS\n");
        return 2;
    }
    for (int i = 0; i < count; i++) workers[i] = new_worker();
    worker_accept(workers[0], listen_on(atoi(argv[1])), deal);
    for (int i = 1; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, worker_run, workers[i]) != 0) fail("pthread_create");
    }
    worker_run(workers[0]);
}
