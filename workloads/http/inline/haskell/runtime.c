/* Haskell's runtime inside somebody else's process. */
#include "Rts.h"
#include <stdint.h>
#include <stdio.h>

/* Starts the runtime, once, with as many capabilities as there are cores.
 *
 * The signals stay the JVM's. 1 MiB of young heap fits into the second cache, and is GHC 9.0's own choice: with 4 MiB the
 * ways that make a thread per call took half as long again. No timer: it would wake the process a hundred times a second,
 * for turns that nobody takes here, since every thread of Haskell has a thread of the system to itself. No collection
 * for idleness either: it would fall into somebody else's time. */
void haskell_start(int32_t cores)
{
    char options[96];
    snprintf(options, sizeof options, "-N%d -A1m -V0 -I0 --install-signal-handlers=no", (int)cores);

    RtsConfig config = defaultRtsConfig;
    config.rts_opts_enabled = RtsOptsAll;
    config.rts_opts = options;

    static char name[] = "handlers";
    static char *words[] = {name, NULL};
    char **argv = words;
    int argc = 1;
    hs_init_ghc(&argc, &argv, config);
}
