/* The floor of CGI: the page is made in memory and written at once; nothing is started that is not needed. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "with/c/page.h"

#define PUT(out, literal) mempcpy(out, literal, sizeof literal - 1)

/* A pipe takes no more at once than it holds. */
static int write_all(const char *bytes, size_t len) {
    while (len > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, len);
        if (written < 0) return 1;
        bytes += written, len -= written;
    }
    return 0;
}

int main(void) {
    const char *query = getenv("QUERY_STRING");
    struct page page;
    if (!query || !page_asked(query, strlen(query), &page)) {
        static const char refusal[] = "Status: 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nrows=1 to 10000\n";
        return write_all(refusal, sizeof refusal - 1);
    }
    char *bytes = malloc(64 + page_room(&page));
    if (!bytes) return 1;
    char *end = page_write(PUT(bytes, "Content-Type: text/html\r\n\r\n"), &page);
    return write_all(bytes, end - bytes);
}
