/* The least HTTP server that a load generator can be held against: one thread, one fixed answer, pipelining.
 * Usage: server [ADDRESS:]PORT BYTES [PROCESSES [CHUNK [keep]]]: every request without a body is answered by so many bytes, with
 * their length, or in chunks of so many (0: with their length); so many processes share the port (SO_REUSEPORT), where one
 * may not hold all connections. With `keep` each answer says what HTTP/1.0 clients have to be told: that the connection
 * stays. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_FDS = 65536, MAX_EVENTS = 256, BUFFER = 65536, BATCH = 64 };

struct conn {
    int matched;           /* how much of CR LF CR LF the last bytes were */
    unsigned long owed;    /* answers not begun */
    size_t sent;           /* bytes of the current answer that are out */
};

static struct conn conns[MAX_FDS];
static char *batch;
static size_t one;         /* length of an answer; `batch` holds as many as fit BATCH, or one */
static unsigned long held;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* The letters from number `from` on, so many; where they end. */
static char *letters(char *to, size_t from, size_t bytes) {
    for (size_t k = 0; k < bytes; k++) to[k] = (char)('a' + (from + k) % 26);
    return to + bytes;
}

/* An answer, whole, with a length or (chunk > 0) in chunks of so many bytes; where it ends. */
static char *make_answer(char *to, size_t bytes, size_t chunk, const char *more) {
    to += sprintf(to, "HTTP/1.1 200 OK\r\nServer: bench\r\nContent-Type: text/plain\r\n%s", more);
    if (!chunk) return letters(to + sprintf(to, "Content-Length: %zu\r\n\r\n", bytes), 0, bytes);
    to += sprintf(to, "Transfer-Encoding: chunked\r\n\r\n");
    for (size_t from = 0; from < bytes; from += chunk) {
        size_t size = bytes - from < chunk ? bytes - from : chunk;
        to = letters(to + sprintf(to, "%zx\r\n", size), from, size);
        to += sprintf(to, "\r\n");
    }
    return to + sprintf(to, "0\r\n\r\n");
}

static void make_answers(size_t bytes, size_t chunk, const char *more) {
    /* A size line and the ends of a chunk take 20 bytes at the most. */
    size_t most = 160 + bytes + (chunk ? (bytes / chunk + 2) * 20 : 0);
    char *first = malloc(most);
    if (!first) fail("malloc");
    one = (size_t)(make_answer(first, bytes, chunk, more) - first);
    held = one > 4096 ? 1 : BATCH;
    if (!(batch = malloc(one * held))) fail("malloc");
    for (unsigned long n = 0; n < held; n++) memcpy(batch + n * one, first, one);
    free(first);
}

static unsigned long requests(struct conn *conn, const char *bytes, ssize_t len) {
    static const char end[] = "\r\n\r\n";
    unsigned long found = 0;
    for (ssize_t n = 0; n < len; n++) {
        if (bytes[n] == end[conn->matched]) conn->matched++;
        else conn->matched = bytes[n] == '\r';
        if (conn->matched == 4) { conn->matched = 0; found++; }
    }
    return found;
}

/* Writes what is owed until all is out or the socket is full, which a further event will tell. */
static int answer(int fd, struct conn *conn) {
    while (conn->owed) {
        unsigned long now = conn->owed < held ? conn->owed : held;
        ssize_t out = send(fd, batch + conn->sent, now * one - conn->sent, MSG_NOSIGNAL);
        if (out < 0) return errno == EAGAIN ? 0 : -1;
        size_t done = conn->sent + (size_t)out;
        conn->owed -= done / one;
        conn->sent = done % one;
    }
    return 0;
}

static void serve(int fd, char *buffer) {
    struct conn *conn = &conns[fd];
    for (;;) {
        ssize_t len = recv(fd, buffer, BUFFER, 0);
        if (len < 0 && errno == EAGAIN) break;
        if (len <= 0) { close(fd); return; }
        conn->owed += requests(conn, buffer, len);
        if (len < BUFFER) break;
    }
    if (answer(fd, conn) < 0) close(fd);
}

static void welcome(int listener, int poll) {
    int fd, on = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        if (fd >= MAX_FDS) { close(fd); continue; }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        memset(&conns[fd], 0, sizeof conns[fd]);
        struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.fd = fd};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event) < 0) close(fd);
    }
}

/* Becomes so many processes, which end with the first; each may open as many files as the hard limit allows. */
static void share_out(int processes) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    while (--processes > 0) {
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            return;
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 3 || argc > 6) return fprintf(stderr, "usage: server [ADDRESS:]PORT BYTES [PROCESSES [CHUNK [keep]]]\n"), 2;
    make_answers(strtoul(argv[2], NULL, 10), argc > 4 ? strtoul(argv[4], NULL, 10) : 0,
                 argc > 5 ? "Connection: keep-alive\r\n" : "");
    share_out(argc > 3 ? atoi(argv[3]) : 1);
    char *colon = strchr(argv[1], ':'), *port = colon ? colon + 1 : argv[1];
    if (colon) *colon = 0;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port))};
    address.sin_addr.s_addr = colon ? inet_addr(argv[1]) : htonl(INADDR_LOOPBACK);
    int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), poll = epoll_create1(0);
    if (listener < 0 || poll < 0) fail("socket");
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 4096) < 0) fail("listen");
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[MAX_EVENTS];
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    static char buffer[BUFFER];
    for (;;) {
        int ready = epoll_wait(poll, events, MAX_EVENTS, -1);
        for (int n = 0; n < ready; n++) {
            if (events[n].data.fd == listener) welcome(listener, poll);
            else serve(events[n].data.fd, buffer);
        }
    }
}
