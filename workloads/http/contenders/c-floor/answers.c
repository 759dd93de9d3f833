#define _GNU_SOURCE
#include "answers.h"

#include <stdio.h>
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

char *answer_row(const struct answers *a, struct row row, char *out) {
    char body[64], *end = PUT(body, "{\"id\":");
    end = PUT(number(end, row.id), ",\"randomNumber\":");
    end = PUT(number(end, row.random_number), "}");
    return with_head(a, out, body, end - body);
}
