/* The probe protocol for C: what stands between tare and the code under test. The whole kit is this header.
 *
 * A contender says `with = ["kits/c"]` in its manifest and
 *
 *     #include <stdio.h>
 *     #include "with/c/probe.h"
 *
 *     static char text[32];
 *
 *     static struct probe_bytes result(size_t input, uint64_t size)
 *     {
 *         (void)size;
 *         return (struct probe_bytes){text, (size_t)sprintf(text, "%zu", input * 7919)};
 *     }
 *
 *     PROBE_LOOP(result)
 *
 *     int main(void) { return PROBE_SERVE(64, NULL, 0, result); }
 *
 * A swept case names its sizes: `static const uint64_t sizes[] = {1, 5}; PROBE_SERVE(64, sizes, 2, result)`. The
 * bytes of a result must stay as they are until the next one is asked for. A number is probe_number(buffer, n).
 * PROBE_LOOP makes the loop a function of its own, so that `result` is inlined into it. */
#ifndef PROBE_H
#define PROBE_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

struct probe_bytes {
    const void *at;
    size_t length;
};

struct probe_job {
    size_t inputs;
    const uint64_t *sizes; /* none: the case is not swept */
    size_t size_count;
    uint32_t (*run)(uint64_t count, uint64_t size, size_t inputs);
    struct probe_bytes (*result)(size_t input, uint64_t size);
};

/* Four bytes, little endian, as the machines that tare runs on have them; spelt out so that it is so on all. */
static inline uint32_t probe_word(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* What one result adds to the checksum: from its length and its first and last four bytes. */
static inline uint32_t probe_term(struct probe_bytes result)
{
    const unsigned char *bytes = result.at;
    uint32_t first, last;
    if (result.length >= 4) {
        first = probe_word(bytes);
        last = probe_word(bytes + result.length - 4);
    } else {
        unsigned char padded[4] = {0};
        if (result.length > 0)
            memcpy(padded, bytes, result.length);
        first = last = probe_word(padded);
    }
    return (uint32_t)result.length * UINT32_C(2654435761) + first * UINT32_C(2246822519) + last * UINT32_C(3266489917);
}

/* A result that is a number: its eight bytes, little endian. */
static inline struct probe_bytes probe_number(unsigned char buffer[8], uint64_t value)
{
    for (int i = 0; i < 8; i++)
        buffer[i] = (unsigned char)(value >> 8 * i);
    return (struct probe_bytes){buffer, 8};
}

/* The two asm statements: neither is the input known to the optimiser, nor that most of a result is never read. */
static inline __attribute__((always_inline)) uint32_t probe_loop(
    uint64_t count, uint64_t size, size_t inputs, struct probe_bytes (*result)(size_t, uint64_t))
{
    uint32_t sum = 0;
    size_t input = 0;
    for (uint64_t left = count; left > 0; left--) {
        size_t hidden = input;
        __asm__ volatile("" : "+r"(hidden));
        struct probe_bytes bytes = result(hidden, size);
        __asm__ volatile("" : : "r"(bytes.at) : "memory");
        sum += probe_term(bytes);
        if (++input == inputs)
            input = 0;
    }
    return sum;
}

/* A number: decimal digits alone, within 64 bits. 1 and the value, or 0. */
static inline int probe_parse(const char *word, uint64_t *value)
{
    if (*word == '\0' || word[strspn(word, "0123456789")] != '\0')
        return 0;
    errno = 0;
    *value = strtoull(word, NULL, 10);
    return errno == 0;
}

static inline void probe_hex(struct probe_bytes bytes)
{
    fputs("ok ", stdout);
    for (size_t i = 0; i < bytes.length; i++)
        printf("%02x", ((const unsigned char *)bytes.at)[i]);
    putchar('\n');
}

static inline void probe_run(const struct probe_job *job, uint64_t count, uint64_t size)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    uint32_t sum = job->run(count, size, job->inputs);
    clock_gettime(CLOCK_MONOTONIC, &end);
    int64_t nanos = (int64_t)(end.tv_sec - begin.tv_sec) * 1000000000 + (end.tv_nsec - begin.tv_nsec);
    printf("ok %" PRId64 " %" PRIu32 "\n", nanos, sum);
}

static inline int probe_knows(const struct probe_job *job, uint64_t size)
{
    for (size_t i = 0; i < job->size_count; i++)
        if (job->sizes[i] == size)
            return 1;
    return 0;
}

static inline void probe_answer(const struct probe_job *job, char *line)
{
    char *verb = line, *rest = strchr(line, ' '), *second = NULL;
    uint64_t number = 0, size = 0;
    if (rest != NULL) {
        *rest++ = '\0';
        second = strchr(rest, ' ');
        if (second != NULL)
            *second++ = '\0';
    }
    int run = strcmp(verb, "run") == 0;
    if (rest == NULL || (!run && strcmp(verb, "show") != 0))
        puts("error not understood: run N [SIZE] and show I [SIZE] are");
    else if (!probe_parse(rest, &number) || (second != NULL && !probe_parse(second, &size)))
        puts("error a number of 64 bits was expected");
    else if (second == NULL ? job->size_count > 0 : !probe_knows(job, size))
        puts("error there is no job of that size");
    else if (run)
        probe_run(job, number, size);
    else if (number >= job->inputs)
        puts("error there is no such input");
    else
        probe_hex(job->result((size_t)number, size));
}

/* Answers each line of standard input with one line on standard output, until the input ends. */
static inline int probe_serve(const struct probe_job *job)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, stdin)) > 0) {
        if (line[length - 1] == '\n')
            line[--length] = '\0';
        if (strlen(line) != (size_t)length)
            puts("error a line with a zero byte");
        else
            probe_answer(job, line);
        if (fflush(stdout) != 0)
            return 1;
    }
    free(line);
    return 0;
}

#define PROBE_SERVE(INPUTS, SIZES, SIZE_COUNT, RESULT) \
    probe_serve(&(const struct probe_job){INPUTS, SIZES, SIZE_COUNT, probe_run_of_##RESULT, RESULT})

/* Beside the function that makes results, once: its loop. */
#define PROBE_LOOP(RESULT) \
    static uint32_t probe_run_of_##RESULT(uint64_t count, uint64_t size, size_t inputs) \
    { \
        return probe_loop(count, size, inputs, RESULT); \
    }

#endif
