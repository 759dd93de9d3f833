#include "answers.h"

#include <stdio.h>
#include <string.h>

static char *append(char *out, const char *bytes, size_t len) {
    memcpy(out, bytes, len);
    return out + len;
}

static char *append_text(char *out, const char *text) {
    return append(out, text, strlen(text));
}

/* A string of JSON that needs no escapes. */
static char *append_string(char *out, const char *text) {
    *out++ = '"';
    out = append_text(out, text);
    *out++ = '"';
    return out;
}

void refresh(struct answers *answers) {
    time_t now = time(NULL);
    if (now == answers->second) return;
    answers->second = now;
    char date[40];
    struct tm utc;
    strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &utc));
    answers->missing_len = snprintf(
        answers->missing, ANSWER_MAX, "HTTP/1.1 404 Not Found\r\nServer: c\r\nDate: %s\r\nContent-Length: 0\r\n\r\n", date);
    answers->json_head_len = snprintf(
        answers->json_head, ANSWER_MAX,
        "HTTP/1.1 200 OK\r\nServer: c\r\nDate: %s\r\nContent-Type: application/json\r\nContent-Length: ", date);
}

char *answer_json(const struct answers *answers, char *out) {
    char body[ANSWER_MAX], *end = body;
    *end++ = '{';
    end = append_string(end, "message");
    *end++ = ':';
    end = append_string(end, "Hello, World!");
    *end++ = '}';
    out = append(out, answers->json_head, answers->json_head_len);
    out += sprintf(out, "%zu\r\n\r\n", (size_t)(end - body));
    return append(out, body, end - body);
}

char *answer_missing(const struct answers *answers, char *out) {
    return append(out, answers->missing, answers->missing_len);
}
