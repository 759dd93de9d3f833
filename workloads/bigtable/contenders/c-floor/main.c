/* The floor of the standalone servers: the least that gives the right answers. It knows GET and connections that stay
 * open, and takes no bodies. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "with/c/page.h"
#include "with/c/server.h"

enum {
    HEAD_ROOM = 128,
};

#define EMPTY(status) "HTTP/1.1 " status "\r\nContent-Length: 0\r\n\r\n"

static void fixed(struct answer *answer, const char *text) {
    answer->from = 0, answer->to = strlen(text);
    answer_reserve(answer, answer->to);
    memcpy(answer->bytes, text, answer->to);
}

/* The head tells the page's length, so it is put before the page once that is written. */
static void answer_page(struct answer *answer, const struct page *page) {
    char head[HEAD_ROOM];
    answer_reserve(answer, HEAD_ROOM + page_room(page));
    answer->to = page_write(answer->bytes + HEAD_ROOM, page) - answer->bytes;
    int len = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %zu\r\n\r\n",
        answer->to - HEAD_ROOM);
    answer->from = HEAD_ROOM - len;
    memcpy(answer->bytes + answer->from, head, len);
}

/* `target` is what stands between the method and the version. */
static void answer_target(struct answer *answer, const char *target, size_t len) {
    struct page page;
    if (len < 1 || target[0] != '/' || (len > 1 && target[1] != '?')) fixed(answer, EMPTY("404 Not Found"));
    else if (len < 2 || !page_asked(target + 2, len - 2, &page)) fixed(answer, EMPTY("400 Bad Request"));
    else answer_page(answer, &page);
}

static long http(const char *in, size_t len, struct answer *answer) {
    const char *stop = memmem(in, len, "\r\n\r\n", 4);
    if (!stop) return 0;
    const char *target = in + 4, *end = memchr(in, '\r', stop + 1 - in);
    if (end - in < 4 || memcmp(in, "GET ", 4) != 0) return BROKEN;
    const char *space = memchr(target, ' ', end - target);
    if (!space) return BROKEN;
    answer_target(answer, target, space - target);
    return stop + 4 - in;
}

int main(int argc, char **argv) {
    if (argc != 3 || atoi(argv[2]) < 1) {
        fprintf(stderr, "usage: server PORT THREADS\n");
        return 2;
    }
    serve(listen_on(atoi(argv[1])), atoi(argv[2]), http);
}
