/* Java asks, Haskell answers, on one thread of the system with two stacks.
 *
 * A call into Haskell is dear because GHC's runtime makes a thread, hands it a capability and schedules it, each time.
 * A call out of Haskell is cheap. So here Haskell is called once, on a stack of its own, and never returns: its loop
 * answers a request and then calls out for the next one; that call changes over to Java's stack, which returns from its
 * own call with the answer. To either runtime it looks like a foreign function that takes its time: the JVM sees a
 * thread in native code, GHC a thread in a safe foreign call, which lets go of the capability, so that a collection of
 * either side's garbage never waits for the other.
 *
 * A line belongs to the thread that opened it, and lives as long as the process. */
#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifndef __x86_64__
#error "the change of stacks is written for x86-64 only: add the registers that your ABI has callees keep"
#endif

/* Haskell's own stacks are on its heap: this one holds the runtime's C frames alone, and C functions called from it. */
enum { STACK = 256 * 1024, GUARD = 4096 };

/* Keeps the registers that a callee must keep, leaves its stack in *from, and goes on where `to` was left.
 * (The control words of the floating-point units stay as they are: neither side changes them.) */
void change_stacks(void **from, void *to);
__asm__(
    ".text\n"
    ".globl change_stacks\n"
    ".hidden change_stacks\n"
    ".type change_stacks, @function\n"
    "change_stacks:\n"
    "    pushq %rbp\n"
    "    pushq %rbx\n"
    "    pushq %r12\n"
    "    pushq %r13\n"
    "    pushq %r14\n"
    "    pushq %r15\n"
    "    movq %rsp, (%rdi)\n"
    "    movq %rsi, %rsp\n"
    "    popq %r15\n"
    "    popq %r14\n"
    "    popq %r13\n"
    "    popq %r12\n"
    "    popq %rbx\n"
    "    popq %rbp\n"
    "    ret\n"
    ".size change_stacks, . - change_stacks\n");

/* Where the answerer's stack begins: begin_answering, with the line that change_stacks took from the stack into rbx. */
void begin_answering(void);
__asm__(
    ".text\n"
    ".globl begin_answering\n"
    ".hidden begin_answering\n"
    ".type begin_answering, @function\n"
    "begin_answering:\n"
    "    movq %rbx, %rdi\n"
    "    call haskell_serve@PLT\n"
    "    ud2\n"
    ".size begin_answering, . - begin_answering\n");

static void *new_stack(void)
{
    char *low = mmap(NULL, GUARD + STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (low == MAP_FAILED || mprotect(low, GUARD, PROT_NONE) != 0) {
        perror("inline-coroutine: no memory for a stack of 256 KiB");
        abort();
    }
    return low + GUARD + STACK;
}

/* A line whose Haskell side begins with the first request. */
struct line *line_open(void)
{
    struct line *line = calloc(1, sizeof *line);
    if (!line) {
        perror("inline-coroutine: no memory for a line");
        abort();
    }
    /* As change_stacks leaves it: six registers, and where to go on. At the entry of a function the stack is 8 bytes
     * off a multiple of 16; begin_answering is not called but returned to, and then calls: so it begins at 16. */
    uint64_t *top = new_stack();
    *--top = 0;
    *--top = 0;
    *--top = (uint64_t)(uintptr_t)begin_answering;
    *--top = 0;                          /* rbp: no frame below */
    *--top = (uint64_t)(uintptr_t)line;  /* rbx */
    for (int i = 0; i < 4; i++)
        *--top = 0; /* r12 … r15 */
    line->answerer = top;
    return line;
}

/* Called by Java: returns when Haskell has answered. */
int32_t line_ask(struct line *line, int32_t what, int32_t one, int32_t two, uint8_t *buffer, int32_t room)
{
    line->what = what;
    line->one = one;
    line->two = two;
    line->buffer = buffer;
    line->room = room;
    change_stacks(&line->asker, line->answerer);
    return line->count;
}

/* Called by Haskell: returns when Java asks again. */
void line_answered(struct line *line, int32_t count)
{
    line->count = count;
    change_stacks(&line->answerer, line->asker);
}
