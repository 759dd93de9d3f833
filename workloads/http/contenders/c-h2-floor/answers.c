#include "answers.h"

#include <stdio.h>
#include <string.h>

enum {
    PREFIX = 5,
    FIELD_1_TEXT = 0x0a, /* a field's number and kind, as protobuf encodes them */
};

void refresh(struct date *date) {
    time_t now = time(NULL);
    if (now == date->second) return;
    struct tm utc;
    date->second = now;
    strftime(date->text, sizeof date->text, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &utc));
}

static char *append(char *out, const char *text, size_t len) {
    memcpy(out, text, len);
    return out + len;
}

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

size_t answer_json(char *out) {
    char *end = out;
    *end++ = '{';
    end = string(end, "message");
    *end++ = ':';
    end = string(end, "Hello, World!");
    *end++ = '}';
    return end - out;
}

/* A number as protobuf encodes it; up to two bytes are needed here. */
static char *number(char *out, size_t n) {
    if (n >= 0x80) *out++ = n | 0x80, n >>= 7;
    *out++ = n;
    return out;
}

size_t answer_greeting(const uint8_t *request, size_t len, char *out) {
    const uint8_t *at = request + PREFIX, *end = request + len;
    if (len < PREFIX + 2 || request[0] != 0 || *at++ != FIELD_1_TEXT) return 0;
    size_t name_len = *at++;
    if (name_len & 0x80 && at < end) name_len = (name_len & 0x7f) | (size_t)*at++ << 7;
    if (name_len != (size_t)(end - at) || name_len > NAME_MAX_LEN) return 0;
    char *message = out + PREFIX;
    *message++ = FIELD_1_TEXT;
    message = number(message, name_len + sizeof "Hello, !" - 1);
    message = append(message, "Hello, ", sizeof "Hello, " - 1);
    message = append(message, (const char *)at, name_len);
    *message++ = '!';
    size_t length = message - out - PREFIX;
    out[0] = 0;
    for (int i = 0; i < 4; i++) out[1 + i] = length >> (24 - 8 * i);
    return PREFIX + length;
}
