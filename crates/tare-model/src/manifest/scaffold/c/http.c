// @SUMMARY@
// A thread a connection; requests may follow each other without waiting.
#define _GNU_SOURCE
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

// No request is longer, body and all.
enum { LONGEST = 65536 };

static const char body[] = @EXPECT@;
static char reply[256 + sizeof body];
static size_t reply_length;

// How long the first request of the buffer is, body and all; 0: it is not whole yet.
static size_t whole(char *bytes, size_t held) {
    char *end = memmem(bytes, held, "\r\n\r\n", 4);
    if (!end) return 0;
    *end = 0;
    char *length = strcasestr(bytes, "\r\nContent-Length:");
    *end = '\r';
    size_t size = (size_t)(end - bytes) + 4 + (length ? strtoul(length + 17, NULL, 10) : 0);
    return size <= held ? size : 0;
}

static int send_all(int fd, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = write(fd, bytes, count);
        if (sent <= 0) return 0;
        bytes += sent;
        count -= (size_t)sent;
    }
    return 1;
}

static void *serve(void *argument) {
    int fd = (int)(intptr_t)argument, open = 1;
    static __thread char buffer[LONGEST];
    size_t held = 0, size;
    ssize_t got;
    while (open && held < LONGEST && (got = read(fd, buffer + held, LONGEST - held)) > 0) {
        held += (size_t)got;
        while (open && (size = whole(buffer, held))) {
            open = send_all(fd, reply, reply_length);
            held -= size;
            memmove(buffer, buffer + size, held);
        }
    }
    close(fd);
    return NULL;
}

__attribute__((constructor)) static void prepare(void) {
    int head = snprintf(reply, sizeof reply, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n\r\n",
                        sizeof body - 1);
    memcpy(reply + head, body, sizeof body - 1);
    reply_length = (size_t)head + sizeof body - 1;
}

@LISTEN@
