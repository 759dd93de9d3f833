/* Two jobs, one of size 1 and one of size 8, or one without a size: what every kit's example does, commands aside. */
#include <stdio.h>

#include "with/c/probe.h"

static unsigned char text[32];

static struct probe_bytes plain(size_t input, uint64_t size)
{
    (void)size;
    return (struct probe_bytes){text, (size_t)sprintf((char *)text, "%zu", input * 7919)};
}

static struct probe_bytes sized(size_t input, uint64_t size)
{
    if (size == 8)
        return probe_number(text, (uint64_t)input - 1);
    memset(text, 'a' + (int)input, input);
    return (struct probe_bytes){text, input};
}

PROBE_LOOP(plain)
PROBE_LOOP(sized)

int main(int count, char **words)
{
    (void)words;
    static const uint64_t sizes[] = {1, 8};
    return count > 1 ? PROBE_SERVE(7, sizes, 2, sized) : PROBE_SERVE(64, NULL, 0, plain);
}
