/* The bodies of answers. Each function writes to `out`, which has room for `ANSWER_MAX` bytes, and returns the length. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum {
    /* No answer is longer. */
    ANSWER_MAX = 512,
    /* A longer message is refused. */
    NAME_MAX_LEN = 256,
    DATE_LEN = 29,
};

/* The date, made anew where the second is another than last time. */
struct date {
    time_t second;
    char text[DATE_LEN + 1];
};

void refresh(struct date *date);

/* The object is encoded anew each time. */
size_t answer_json(char *out);
/* The reply of gRPC to a request, both with their prefixes; 0: it is no request. */
size_t answer_greeting(const uint8_t *request, size_t len, char *out);
