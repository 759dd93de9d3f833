/* An event loop for protocols of requests and answers: epoll, a thread a core, a buffer a connection. */
#pragma once
#include <stddef.h>

enum {
    BROKEN = -1, /* what `answer` returns where the peer does not keep to the protocol: its connection is closed */
};

/* The answer to one request. */
struct answer {
    char *bytes; /* kept by the connection from one request to the next */
    size_t room, from, to;
    int close; /* the connection is closed behind it */
};

/* Room for so many bytes at `bytes`. */
void answer_reserve(struct answer *answer, size_t room);

/* Answers the first request in `in`, if it is there as a whole. Returns how many bytes were used up (0: more are needed)
 * or BROKEN. */
typedef long protocol(const char *in, size_t len, struct answer *answer);

/* A listener on a port of loopback. */
int listen_on(int port);
/* Serves on it with so many threads. Never returns. */
void serve(int listener, int threads, protocol *speak);
