#define _GNU_SOURCE
#include "answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARED_HEAD "Server: c\r\nDate: %s\r\n"

static size_t fill(char *out, const char *format, const char *date) {
    return snprintf(out, ANSWER_MAX, format, date);
}

void refresh(struct answers *a) {
    time_t now = time(NULL);
    if (now == a->second) return;
    struct tm utc;
    char date[32];
    strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &utc));
    a->second = now;
    a->plaintext_len = fill(a->plaintext,
        "HTTP/1.1 200 OK\r\n" SHARED_HEAD "Content-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, World!", date);
    a->missing_len = fill(a->missing, "HTTP/1.1 404 Not Found\r\n" SHARED_HEAD "Content-Length: 0\r\n\r\n", date);
    a->json_head_len = fill(a->json_head,
        "HTTP/1.1 200 OK\r\n" SHARED_HEAD "Content-Type: application/json\r\nContent-Length: ", date);
    a->html_head_len = fill(a->html_head,
        "HTTP/1.1 200 OK\r\n" SHARED_HEAD "Content-Type: text/html; charset=utf-8\r\nContent-Length: ", date);
}

char *answer_plaintext(const struct answers *a, char *out) {
    return mempcpy(out, a->plaintext, a->plaintext_len);
}

char *answer_missing(const struct answers *a, char *out) {
    return mempcpy(out, a->missing, a->missing_len);
}

static char *number(char *out, unsigned n) {
    char digits[10], *first = digits + sizeof digits;
    do *--first = '0' + n % 10;
    while (n /= 10);
    return mempcpy(out, first, digits + sizeof digits - first);
}

#define PUT(out, literal) mempcpy(out, literal, sizeof literal - 1)

/* A JSON string: quotation marks, backslashes and control characters are escaped. */
static char *string(char *out, const char *text) {
    *out++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') *out++ = '\\';
        if ((unsigned char)*text < ' ') out += sprintf(out, "\\u%04x", *text);
        else *out++ = *text;
    }
    *out++ = '"';
    return out;
}

static char *with_head(const struct answers *a, char *out, const char *body, size_t len) {
    out = mempcpy(out, a->json_head, a->json_head_len);
    out = PUT(number(out, len), "\r\n\r\n");
    return mempcpy(out, body, len);
}

char *answer_json(const struct answers *a, char *out) {
    char body[64], *end = PUT(body, "{\"message\":");
    end = PUT(string(end, "Hello, World!"), "}");
    return with_head(a, out, body, end - body);
}

static char *object(char *out, struct row row) {
    out = PUT(out, "{\"id\":");
    out = PUT(number(out, row.id), ",\"randomNumber\":");
    return PUT(number(out, row.random_number), "}");
}

char *answer_row(const struct answers *a, struct row row, char *out) {
    char body[64], *end = object(body, row);
    return with_head(a, out, body, end - body);
}

enum {
    OBJECT_MAX = 48,  /* with the comma behind it */
    LENGTH_MAX = 16,  /* of a length in digits, and of the empty line behind it */
    ROW_MAX = 64,     /* of a row of the page without its message */
    ESCAPED_MAX = 6,  /* bytes for one */
    FRAME_MAX = 256,  /* of the page without its rows */
};

/* Puts a head before a body that was written LENGTH_MAX bytes and a head behind `out`: moved to where the head ends. */
static char *before(const char *head, size_t head_len, char *out, const char *body, size_t len) {
    char *end = mempcpy(out, head, head_len);
    end = PUT(number(end, len), "\r\n\r\n");
    return (char *)memmove(end, body, len) + len;
}

size_t answer_rows_max(unsigned count) {
    return ANSWER_MAX + LENGTH_MAX + OBJECT_MAX * (size_t)count;
}

char *answer_rows(const struct answers *a, const struct row *rows, unsigned count, char *out) {
    char *body = out + a->json_head_len + LENGTH_MAX, *end = body;
    *end++ = '[';
    for (unsigned i = 0; i < count; i++) {
        end = object(end, rows[i]);
        *end++ = i + 1 < count ? ',' : ']';
    }
    return before(a->json_head, a->json_head_len, out, body, end - body);
}

static char *escaped(char *out, const char *text) {
    for (; *text; text++) {
        switch (*text) {
            case '<': out = PUT(out, "&lt;"); break;
            case '>': out = PUT(out, "&gt;"); break;
            case '&': out = PUT(out, "&amp;"); break;
            case '"': out = PUT(out, "&quot;"); break;
            case '\'': out = PUT(out, "&#39;"); break;
            default: *out++ = *text;
        }
    }
    return out;
}

static int by_message(const void *a, const void *b) {
    return strcmp(((const struct fortune *)a)->message, ((const struct fortune *)b)->message);
}

size_t answer_fortunes_max(const struct fortune *fortunes, unsigned count) {
    size_t size = ANSWER_MAX + LENGTH_MAX + FRAME_MAX;
    for (unsigned i = 0; i < count; i++) size += ROW_MAX + ESCAPED_MAX * strlen(fortunes[i].message);
    return size;
}

char *answer_fortunes(const struct answers *a, struct fortune *fortunes, unsigned count, char *out) {
    qsort(fortunes, count, sizeof *fortunes, by_message);
    char *body = out + a->html_head_len + LENGTH_MAX, *end = body;
    end = PUT(end, "<!DOCTYPE html><html><head><title>Fortunes</title></head><body><table>"
        "<tr><th>id</th><th>message</th></tr>");
    for (unsigned i = 0; i < count; i++) {
        end = PUT(end, "<tr><td>");
        end = PUT(number(end, fortunes[i].id), "</td><td>");
        end = PUT(escaped(end, fortunes[i].message), "</td></tr>");
    }
    end = PUT(end, "</table></body></html>");
    return before(a->html_head, a->html_head_len, out, body, end - body);
}
