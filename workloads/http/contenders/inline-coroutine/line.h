/* A line between a thread of Java and a thread of Haskell that share one thread of the system. */
#ifndef LINE_H
#define LINE_H

#include <stdint.h>

/* The Haskell side reads and writes these fields by their offsets: see Bridge.hs. */
struct line {
    void *asker;      /* the stack of the side that waits, while the other one runs */
    void *answerer;
    int32_t what;     /* the request */
    int32_t one;
    int32_t two;
    int32_t room;     /* where the answer goes, and how many bytes it may have */
    uint8_t *buffer;
    int32_t count;    /* the answer's bytes, or, negated, how many it would have */
};

struct line *line_open(void);
int32_t line_ask(struct line *line, int32_t what, int32_t one, int32_t two, uint8_t *buffer, int32_t room);
void line_answered(struct line *line, int32_t count);

#endif
