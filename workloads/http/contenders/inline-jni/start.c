/* What JNI calls Bridge.start. */
#include <stdint.h>

void haskell_start(int32_t cores);

void Java_Bridge_start(void *env, void *class, int32_t cores)
{
    (void)env;
    (void)class;
    haskell_start(cores);
}
