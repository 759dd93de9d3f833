/* The page, and the query that asks for it. */
#pragma once
#include <stddef.h>

enum {
    MAX_ROWS = 10000,
    MAX_COLUMNS = 100,
    ROW_MAX = 10 + 12 * MAX_COLUMNS, /* no row is longer: <tr></tr> and a line's end; <td>NNN</td> */
    EDGE_MAX = 8,                    /* nor is what is before and after the rows */
};

struct page {
    unsigned rows, columns;
};

/* Reads `rows=N&columns=N` of `len` bytes, in any order; `columns` may be missing. 0: it asks for no such page. */
int page_asked(const char *query, size_t len, struct page *page);

/* Each writes where `out` points, and returns where it ended. */
char *page_begin(char *out);
char *page_row(char *out, unsigned columns);
char *page_end(char *out);
char *page_write(char *out, const struct page *page);

/* No page of that size is longer. */
size_t page_room(const struct page *page);
