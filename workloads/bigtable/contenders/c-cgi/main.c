/* The page as a C program of the report's day prints it: by printf, a cell at a time. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A parameter of the query, 0 if it is no number from 1 to `most`; `missing` if it is not there. */
static int parameter(const char *query, const char *name, int most, int missing) {
    size_t len = strlen(name);
    while (query && !(strncmp(query, name, len) == 0 && query[len] == '=')) {
        query = strchr(query, '&');
        if (query) query++;
    }
    if (!query) return missing;
    char *end;
    long value = isdigit((unsigned char)query[len + 1]) ? strtol(query + len + 1, &end, 10) : 0;
    return value >= 1 && value <= most && (*end == '&' || *end == '\0') ? (int)value : 0;
}

int main(void) {
    const char *query = getenv("QUERY_STRING");
    int rows = parameter(query, "rows", 10000, 0), columns = parameter(query, "columns", 100, 50);
    if (!rows || !columns) {
        printf("Status: 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nrows=1 to 10000\n");
        return 0;
    }
    printf("Content-Type: text/html\r\n\r\n<table>");
    for (int row = 0; row < rows; row++) {
        printf("<tr>");
        for (int column = 1; column <= columns; column++) printf("<td>%d</td>", column);
        printf("</tr>\n");
    }
    printf("</table>");
    return 0;
}
