/* The floor: the input is looked up, its first field is the result, and nothing is encoded. */
#include <stdio.h>
#include <string.h>

#include "with/c/probe.h"

enum { RECORDS = 64, FIELDS = 50 };

static int64_t first_fields[RECORDS];
static unsigned char buffer[8];

/* The output with that number, counted from 0, of splitmix64 seeded with 1. */
static uint64_t splitmix64(uint64_t number)
{
    uint64_t z = 1 + (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* The value of a field of a record, as the workload's page has it. */
static int64_t value(uint64_t record, uint64_t field)
{
    uint64_t z = splitmix64(record * FIELDS + field), power = 1;
    for (uint64_t digit = z % 9; digit > 0; digit--)
        power *= 10;
    uint64_t least = power == 1 ? 0 : power;
    int64_t magnitude = (int64_t)(least + (z >> 8) % (power * 10 - least));
    return z >> 61 == 0 ? -magnitude : magnitude;
}

static struct probe_bytes result(size_t input, uint64_t size)
{
    (void)size;
    return probe_number(buffer, (uint64_t)first_fields[input]);
}

PROBE_LOOP(result)

int main(int count, char **words)
{
    static const uint64_t sizes[] = {1, 2, 5, 10, 15, 20, 25, 35, 50};
    size_t swept = count > 1 && strcmp(words[1], "fields") == 0 ? sizeof sizes / sizeof *sizes : 0;
    for (uint64_t record = 0; record < RECORDS; record++)
        first_fields[record] = value(record, 0);
    return PROBE_SERVE(RECORDS, sizes, swept, result);
}
