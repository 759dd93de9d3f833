/* The page as a C program of the report's day prints it: by printf, a cell at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "with/c/page.h"

int main(void) {
    const char *query = getenv("QUERY_STRING");
    struct page page;
    if (!query || !page_asked(query, strlen(query), &page)) {
        printf("Status: 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nrows=1 to 10000\n");
        return 0;
    }
    printf("Content-Type: text/html\r\n\r\n<table>");
    for (unsigned row = 0; row < page.rows; row++) {
        printf("<tr>");
        for (unsigned column = 1; column <= page.columns; column++) printf("<td>%u</td>", column);
        printf("</tr>\n");
    }
    printf("</table>");
    return 0;
}
