/* A contender in process that does a little work, and beside it one thing more: what a test wants to be found. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "with/c/probe.h"

static unsigned char number[8];
static volatile uint64_t sink;
static int nowhere;

/* What everyone does, within the loop. */
static inline __attribute__((always_inline)) void work(void)
{
    for (int i = 0; i < 2000; i++)
        sink += (uint64_t)i;
}

static void put(void)
{
    if (write(nowhere, number, sizeof number) != sizeof number)
        exit(9);
}

#ifdef OWN_NAME
/* The same as a function that stands by itself. */
__attribute__((noinline)) static void comma_separated(void)
{
    for (int i = 0; i < 8000; i++)
        sink += (uint64_t)i;
}
#endif

#ifdef DEARER
/* In both of a pair, and one is told to do more in it. */
__attribute__((noinline)) static void dearer(void)
{
    for (int i = 0; i < DEARER; i++)
        sink += (uint64_t)i;
}
#endif

#ifdef COPIES
static unsigned char from[1 << 18], to[1 << 18];
/* Not known to the compiler, which would copy by itself. */
static volatile size_t copied = sizeof from;
#endif

#ifdef HOLDS_MEMORY
static unsigned char *volatile held;
#endif

#ifdef TWO_THREADS
static void *along(void *nothing)
{
    for (;;)
        work();
    return nothing;
}
#endif

static struct probe_bytes result(size_t input, uint64_t size)
{
    (void)size;
    work();
    put();
#ifdef SECOND_WRITE
    put();
#endif
#ifdef OWN_NAME
    comma_separated();
#endif
#ifdef DEARER
    dearer();
#endif
#ifdef COPIES
    memcpy(to, from, copied);
    sink += to[input];
#endif
#ifdef FORKS
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child < 0 || waitpid(child, NULL, 0) != child)
        exit(9);
#endif
#ifdef FRESH_MEMORY
    /* A mapping of its own each time, past the C library, which would keep it: every page of it is a fault. */
    char *fresh = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED)
        exit(9);
    for (size_t page = 0; page < 256; page++)
        fresh[page << 12] = (char)input;
    sink += (uint64_t)fresh[input];
    munmap(fresh, 1 << 20);
#endif
#ifdef ASLEEP
    struct timespec pause = {0, 5000000};
    nanosleep(&pause, NULL);
#endif
    return probe_number(number, (uint64_t)input * 3);
}

PROBE_LOOP(result)

int main(void)
{
    nowhere = open("/dev/null", O_WRONLY);
#ifdef HOLDS_MEMORY
    /* Memory is held once it was written to. */
    held = malloc(64 << 20);
    if (held == NULL)
        return 9;
    memset(held, 1, 64 << 20);
#endif
#ifdef DIES
    /* The signal ends it after so many seconds of CPU time, which is in the middle, however slow the machine is. */
    struct itimerval life = {{0, 0}, {DIES, 0}};
    setitimer(ITIMER_PROF, &life, NULL);
#endif
#ifdef TWO_THREADS
    pthread_t other;
    if (pthread_create(&other, NULL, along, NULL) != 0)
        return 9;
#endif
    return PROBE_SERVE(4, NULL, 0, result);
}
