// @SUMMARY@
// A thread a connection. Answers are sent when no whole line is left to answer.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// No line is longer; a connection that sends a longer one is closed.
enum { LONGEST = 65536 };

struct out {
    char *bytes;
    size_t used, room;
};

static void put(struct out *out, const char *bytes, size_t count) {
    if (out->used + count > out->room) {
        out->room = 2 * (out->used + count);
        out->bytes = realloc(out->bytes, out->room);
        if (!out->bytes) abort();
    }
    memcpy(out->bytes + out->used, bytes, count);
    out->used += count;
}

@ANSWER@
static int flush(int fd, struct out *out) {
    for (size_t sent = 0; sent < out->used;) {
        ssize_t put = write(fd, out->bytes + sent, out->used - sent);
        if (put <= 0) return 0;
        sent += (size_t)put;
    }
    out->used = 0;
    return 1;
}

// Answers every whole line of the buffer, keeps the rest at its front; 0: the connection ends.
static int take(struct out *out, char *buffer, size_t *held) {
    char *line = buffer, *limit = buffer + *held, *end;
    int open = 1;
    while (open && (end = memchr(line, '\n', (size_t)(limit - line)))) {
        open = answer(out, line, (size_t)(end - line));
        line = end + 1;
    }
    *held = (size_t)(limit - line);
    memmove(buffer, line, *held);
    return open && *held < LONGEST;
}

static void *serve(void *argument) {
    int fd = (int)(intptr_t)argument, open = 1;
    static __thread char buffer[LONGEST];
    struct out out = {0};
    size_t held = 0;
    ssize_t got;
    while (open && (got = read(fd, buffer + held, LONGEST - held)) > 0) {
        held += (size_t)got;
        open = take(&out, buffer, &held);
        if (!flush(fd, &out)) break;
    }
    // Closing with bytes unread would reset the connection and may take answers with it.
    shutdown(fd, SHUT_WR);
    while (read(fd, buffer, LONGEST) > 0) {}
    close(fd);
    free(out.bytes);
    return NULL;
}

@LISTEN@
