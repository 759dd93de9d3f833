/* The floor of FastCGI: a responder that knows one request at a time on a connection, and takes no bodies. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "with/c/page.h"
#include "with/c/server.h"

enum {
    VERSION = 1,
    BEGIN_REQUEST = 1,
    END_REQUEST = 3,
    PARAMS = 4,
    STDIN = 5,
    STDOUT = 6,
    RESPONDER = 1,
    KEEP_CONN = 1,
    HEADER = 8,
    CONTENT_MAX = 65535,
    QUERY_MAX = 256,
    RECORD_ROOM = HEADER + CONTENT_MAX,
};

struct record {
    unsigned type, id;
    size_t len;       /* of the content */
    size_t whole;     /* with header and padding */
    const unsigned char *content;
};

struct request {
    unsigned id;
    int keep;
    char query[QUERY_MAX];
    size_t query_len;
};

/* The first record; 0: it is not there as a whole. */
static int first_record(const unsigned char *in, size_t len, struct record *r) {
    if (len < HEADER) return 0;
    r->type = in[1];
    r->id = in[2] << 8 | in[3];
    r->len = in[4] << 8 | in[5];
    r->whole = HEADER + r->len + in[6];
    r->content = in + HEADER;
    return len >= r->whole;
}

/* A length in a name-value pair: a byte, or four where the first has its high bit set. -1: cut off. */
static long pair_length(const unsigned char **at, const unsigned char *end) {
    const unsigned char *p = *at;
    if (p == end) return -1;
    int long_form = *p >> 7;
    if (end - p < (long_form ? 4 : 1)) return -1;
    *at += long_form ? 4 : 1;
    return long_form ? (long)(p[0] & 0x7f) << 24 | p[1] << 16 | p[2] << 8 | p[3] : *p;
}

/* Finds the query in parameters that are in one record; -1: they are none. */
static int take_query(const struct record *r, struct request *request) {
    const unsigned char *at = r->content, *end = at + r->len;
    while (at < end) {
        long name = pair_length(&at, end), value = name < 0 ? -1 : pair_length(&at, end);
        if (value < 0 || name + value > end - at) return -1;
        if (name == 12 && memcmp(at, "QUERY_STRING", 12) == 0 && value <= QUERY_MAX) {
            memcpy(request->query, at + name, value);
            request->query_len = value;
        }
        at += name + value;
    }
    return 0;
}

static int take(const struct record *r, struct request *request) {
    if (r->type == BEGIN_REQUEST && r->len == 8 && r->content[1] == RESPONDER) {
        *request = (struct request){.id = r->id, .keep = r->content[2] & KEEP_CONN};
        return 0;
    }
    if (r->id == 0 || r->id != request->id) return -1;
    if (r->type == PARAMS) return take_query(r, request);
    return r->type == STDIN && r->len == 0 ? 0 : -1;
}

static void header(char *at, unsigned type, unsigned id, size_t len) {
    memcpy(at, (char[]){VERSION, type, id >> 8, id, len >> 8, len, 0, 0}, HEADER);
}

/* The output's end, and the request's. */
static char *finish(char *out, const struct request *request) {
    header(out, STDOUT, request->id, 0);
    header(out + HEADER, END_REQUEST, request->id, 8);
    memset(out + 2 * HEADER, 0, 8);
    return out + 3 * HEADER;
}

/* Records are filled with whole rows, so that the page is written in place. `at` is where a record began. */
static char *next_record(char *at, char *out, const struct request *request) {
    header(at, STDOUT, request->id, out - at - HEADER);
    return out;
}

static char *write_answer(char *at, const struct page *page, const struct request *request) {
    static const char head[] = "Content-Type: text/html\r\n\r\n";
    char *out = page_begin(mempcpy(at + HEADER, head, sizeof head - 1));
    for (unsigned row = 0; row < page->rows; row++) {
        if (out + ROW_MAX + EDGE_MAX > at + RECORD_ROOM) {
            at = next_record(at, out, request);
            out = at + HEADER;
        }
        out = page_row(out, page->columns);
    }
    return finish(next_record(at, page_end(out), request), request);
}

static char *write_refusal(char *at, const struct request *request) {
    static const char refusal[] = "Status: 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nrows=1 to 10000\n";
    char *out = mempcpy(at + HEADER, refusal, sizeof refusal - 1);
    return finish(next_record(at, out, request), request);
}

/* Answers a request whose last record, an empty STDIN, is there. */
static void respond(const struct request *request, struct answer *answer) {
    struct page page;
    int asked = page_asked(request->query, request->query_len, &page);
    /* A record's header for each 60,000 bytes at the least. */
    size_t body = asked ? page_room(&page) : 0;
    answer_reserve(answer, 512 + body + body / 60000 * HEADER);
    char *end = asked ? write_answer(answer->bytes, &page, request) : write_refusal(answer->bytes, request);
    answer->from = 0, answer->to = end - answer->bytes;
    answer->close = !request->keep;
}

static long fastcgi(const char *in, size_t len, struct answer *answer) {
    const unsigned char *bytes = (const unsigned char *)in;
    struct request request = {0};
    struct record record;
    size_t used = 0;
    while (first_record(bytes + used, len - used, &record)) {
        if (take(&record, &request) < 0) return BROKEN;
        used += record.whole;
        if (record.type == STDIN) {
            respond(&request, answer);
            return used;
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 2 || atoi(argv[1]) < 1) {
        fprintf(stderr, "usage: server THREADS, with a listening socket as standard input\n");
        return 2;
    }
    serve(STDIN_FILENO, atoi(argv[1]), fastcgi);
}
