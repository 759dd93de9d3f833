/* The answers, as bytes. Each function writes where `out` points and returns where it ended. */
#pragma once
#include <stddef.h>
#include <time.h>

enum {
    /* No answer is longer. */
    ANSWER_MAX = 256,
};

/* What stays the same for a second. */
struct answers {
    time_t second;
    char json_head[ANSWER_MAX], missing[ANSWER_MAX];
    size_t json_head_len, missing_len;
};

/* Makes anew what holds the date, where the second is another than last time. */
void refresh(struct answers *answers);
/* The object is encoded anew each time. */
char *answer_json(const struct answers *answers, char *out);
char *answer_missing(const struct answers *answers, char *out);
