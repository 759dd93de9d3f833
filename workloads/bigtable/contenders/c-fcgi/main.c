/* The page as a FastCGI program in C of the report's day prints it: by libfcgi's printf, a cell at a time. */
#include <fcgi_stdio.h>
#include <fcgiapp.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "with/c/page.h"

static void answer(const char *query) {
    struct page page;
    if (!query || !page_asked(query, strlen(query), &page)) {
        printf("Status: 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nrows=1 to 10000\n");
        return;
    }
    printf("Content-Type: text/html\r\n\r\n<table>");
    for (unsigned row = 0; row < page.rows; row++) {
        printf("<tr>");
        for (unsigned column = 1; column <= page.columns; column++) printf("<td>%u</td>", column);
        printf("</tr>\n");
    }
    printf("</table>");
}

int main(void) {
    /* The library catches SIGTERM, and heeds it between connections alone. */
    FCGX_Init();
    signal(SIGTERM, SIG_DFL);
    while (FCGI_Accept() >= 0) answer(getenv("QUERY_STRING"));
    return 0;
}
