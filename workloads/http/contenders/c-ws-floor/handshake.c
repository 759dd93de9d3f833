#define _GNU_SOURCE
#include "handshake.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define GUID "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

enum { KEY_LEN = 24, SHA1_LEN = 20 };

/* The value of a header field, without blanks around it; its length is in `*value_len`. NULL: there is none. */
static const char *field(const char *request, size_t len, const char *name, size_t *value_len) {
    const char *end = request + len, *line = request;
    size_t name_len = strlen(name);
    while ((line = memmem(line, end - line, "\r\n", 2))) {
        line += 2;
        if ((size_t)(end - line) <= name_len || line[name_len] != ':' || strncasecmp(line, name, name_len) != 0) continue;
        const char *value = line + name_len + 1, *stop = memmem(value, end - value, "\r\n", 2);
        if (!stop) stop = end;
        while (value < stop && *value == ' ') value++;
        while (stop > value && stop[-1] == ' ') stop--;
        *value_len = stop - value;
        return value;
    }
    return NULL;
}

static int says(const char *request, size_t len, const char *name, const char *value) {
    size_t found_len;
    const char *found = field(request, len, name, &found_len);
    return found && found_len == strlen(value) && strncasecmp(found, value, found_len) == 0;
}

static size_t refuse(char *out) {
    return sprintf(out, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

size_t handshake(const char *request, size_t len, char *out, int *upgraded) {
    static const char start[] = "GET /ws ";
    size_t key_len;
    const char *key = field(request, len, "Sec-WebSocket-Key", &key_len);
    *upgraded = len > sizeof start && memcmp(request, start, sizeof start - 1) == 0 && key && key_len == KEY_LEN &&
                says(request, len, "Upgrade", "websocket") && says(request, len, "Sec-WebSocket-Version", "13");
    if (!*upgraded) return refuse(out);
    unsigned char keyed[KEY_LEN + sizeof GUID], digest[SHA1_LEN], accept[32];
    memcpy(keyed, key, KEY_LEN);
    memcpy(keyed + KEY_LEN, GUID, sizeof GUID - 1);
    EVP_Digest(keyed, KEY_LEN + sizeof GUID - 1, digest, NULL, EVP_sha1(), NULL);
    EVP_EncodeBlock(accept, digest, SHA1_LEN);
    return sprintf(
        out,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
        accept);
}
