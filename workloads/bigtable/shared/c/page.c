#define _GNU_SOURCE
#include "page.h"

#include <string.h>

#define PUT(out, literal) mempcpy(out, literal, sizeof literal - 1)

/* Digits alone, up to a limit; 0: it is no such number. */
static unsigned number(const char *text, const char *end, unsigned most) {
    unsigned value = 0;
    if (text == end) return 0;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9') return 0;
        value = value * 10 + (*text - '0');
        if (value > most) return 0;
    }
    return value;
}

/* What is behind `name` if the text begins with it. */
static const char *after(const char *text, const char *end, const char *name) {
    size_t len = strlen(name);
    return (size_t)(end - text) >= len && memcmp(text, name, len) == 0 ? text + len : NULL;
}

int page_asked(const char *query, size_t len, struct page *page) {
    const char *end = query + len, *value;
    page->rows = 0, page->columns = 50;
    while (query < end) {
        const char *stop = memchr(query, '&', end - query);
        if (!stop) stop = end;
        if ((value = after(query, stop, "rows="))) page->rows = number(value, stop, MAX_ROWS);
        else if ((value = after(query, stop, "columns="))) page->columns = number(value, stop, MAX_COLUMNS);
        query = stop + 1;
    }
    return page->rows > 0 && page->columns > 0;
}

static char *decimal(char *out, unsigned n) {
    if (n >= 100) *out++ = '0' + n / 100;
    if (n >= 10) *out++ = '0' + n / 10 % 10;
    *out++ = '0' + n % 10;
    return out;
}

char *page_begin(char *out) {
    return PUT(out, "<table>");
}

char *page_row(char *out, unsigned columns) {
    out = PUT(out, "<tr>");
    for (unsigned column = 1; column <= columns; column++)
        out = PUT(decimal(PUT(out, "<td>"), column), "</td>");
    return PUT(out, "</tr>\n");
}

char *page_end(char *out) {
    return PUT(out, "</table>");
}

char *page_write(char *out, const struct page *page) {
    out = page_begin(out);
    for (unsigned row = 0; row < page->rows; row++) out = page_row(out, page->columns);
    return page_end(out);
}

size_t page_room(const struct page *page) {
    return 2 * EDGE_MAX + (size_t)page->rows * (10 + 12 * page->columns);
}
