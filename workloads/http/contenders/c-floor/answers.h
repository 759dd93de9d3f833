/* The answers, as bytes. Each function writes where `out` points and returns where it ended. */
#pragma once
#include <stddef.h>
#include <time.h>

#include "world.h"

enum {
    /* No answer is longer. */
    ANSWER_MAX = 256,
};

/* What stays the same for a second: the heads, and the one answer that is fixed as a whole. */
struct answers {
    time_t second;
    char plaintext[ANSWER_MAX], missing[ANSWER_MAX], json_head[ANSWER_MAX], html_head[ANSWER_MAX];
    size_t plaintext_len, missing_len, json_head_len, html_head_len;
};

/* Makes anew what holds the date, where the second is another than last time. */
void refresh(struct answers *answers);

char *answer_plaintext(const struct answers *answers, char *out);
char *answer_missing(const struct answers *answers, char *out);
/* The object is encoded anew each time. */
char *answer_json(const struct answers *answers, char *out);
char *answer_row(const struct answers *answers, struct row row, char *out);
/* These two are as long as their functions below say, at most. */
char *answer_rows(const struct answers *answers, const struct row *rows, unsigned count, char *out);
size_t answer_rows_max(unsigned count);
/* Sorts the fortunes, one of which is added. */
char *answer_fortunes(const struct answers *answers, struct fortune *fortunes, unsigned count, char *out);
size_t answer_fortunes_max(const struct fortune *fortunes, unsigned count);
