/* A thread's event loop. */
#pragma once

struct worker;

/* A worker, with a database of its own where a path or an URI is given (else NULL or empty). */
struct worker *worker_new(const char *sqlite, const char *postgres, unsigned seed);
/* Hands an accepted connection over; any thread may. */
void worker_give(struct worker *worker, int fd);
/* The worker also accepts from this listening socket, and calls `accepted` for each connection. */
void worker_accept(struct worker *worker, int listener, void (*accepted)(int fd));
/* Never returns. */
void *worker_run(void *worker);
