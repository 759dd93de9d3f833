/* The floor of SCGI: a request a connection, no bodies. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "with/c/page.h"
#include "with/c/server.h"

/* The value of a header of the block, whose names and values each end with a NUL, as does the block. */
static const char *find(const char *at, const char *end, const char *name) {
    while (at < end) {
        const char *value = at + strlen(at) + 1;
        if (value >= end) break;
        if (strcmp(at, name) == 0) return value;
        at = value + strlen(value) + 1;
    }
    return NULL;
}

static void answer_query(const char *query, struct answer *answer) {
    static const char head[] = "Status: 200 OK\r\nContent-Type: text/html\r\n\r\n";
    static const char refusal[] = "Status: 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nrows=1 to 10000\n";
    struct page page;
    int asked = query && page_asked(query, strlen(query), &page);
    answer_reserve(answer, 128 + (asked ? page_room(&page) : 0));
    char *end = asked ? page_write(mempcpy(answer->bytes, head, sizeof head - 1), &page)
                      : mempcpy(answer->bytes, refusal, sizeof refusal - 1);
    answer->from = 0, answer->to = end - answer->bytes;
    answer->close = 1;
}

/* A request is its headers as a netstring (`LENGTH:…,`), and a body of so many bytes as the first header tells. */
static long scgi(const char *in, size_t len, struct answer *answer) {
    char *colon;
    if (!memchr(in, ':', len)) return len > 8 ? BROKEN : 0;
    unsigned long block = strtoul(in, &colon, 10);
    if (colon == in || *colon != ':' || block == 0) return BROKEN;
    const char *begin = colon + 1;
    if (block >= len || len - block < (size_t)(begin + 1 - in)) return 0;
    if (begin[block] != ',' || begin[block - 1] != '\0') return BROKEN;
    const char *body = find(begin, begin + block, "CONTENT_LENGTH");
    if (!body || strcmp(body, "0") != 0) return BROKEN;
    answer_query(find(begin, begin + block, "QUERY_STRING"), answer);
    return begin + block + 1 - in;
}

int main(int argc, char **argv) {
    if (argc != 2 || atoi(argv[1]) < 1) {
        fprintf(stderr, "usage: server THREADS, with a listening socket as standard input\n");
        return 2;
    }
    serve(STDIN_FILENO, atoi(argv[1]), scgi);
}
