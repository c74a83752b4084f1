// Threads' stacks, and switching between them: 20 lines of assembly if available, else
// ucontext, which makes system calls at each switch.
#pragma once

#include <stdlib.h>
#include <sys/mman.h>
#if !defined(S2SAD_UCONTEXT) && !(defined(__x86_64__) && defined(__ELF__))
#define S2SAD_UCONTEXT 1
#endif
#ifdef S2SAD_UCONTEXT
#include <ucontext.h>
#endif
#ifndef S2SAD_STACK_BYTES
#define S2SAD_STACK_BYTES (512 * 1024)
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

namespace cuda_on_cpu {

static constexpr size_t s2sad_stack_bytes = S2SAD_STACK_BYTES;
static constexpr size_t s2sad_guard_bytes = 16 * 1024;  // at least a page on common machines

struct s2sad_stack {
    char *memory;  // the guard, then the stack
#ifdef S2SAD_UCONTEXT
    ucontext_t context;
#else
    void *pointer;
#endif
};

#ifdef S2SAD_UCONTEXT
S2SAD_INLINE void s2sad_switch(s2sad_stack *from, s2sad_stack *to) { swapcontext(&from->context, &to->context); }
S2SAD_UNSEEN static void s2sad_begin(s2sad_stack *stack, void (*entry)(), unsigned)
{
    getcontext(&stack->context);
    stack->context.uc_stack.ss_sp = stack->memory + s2sad_guard_bytes;
    stack->context.uc_stack.ss_size = s2sad_stack_bytes;
    stack->context.uc_link = 0;
    makecontext(&stack->context, entry, 0);
}
#else
// Saves the callee-saved registers, and returns on the other stack.
extern "C" void s2sad_swap_stacks(void **from, void *to) S2SAD_HIDDEN;
__asm__(".text\n"
        ".p2align 4\n"
        ".type s2sad_swap_stacks, @function\n"
        "s2sad_swap_stacks:\n"
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
        ".size s2sad_swap_stacks, .-s2sad_swap_stacks\n");
S2SAD_INLINE void s2sad_switch(s2sad_stack *from, s2sad_stack *to)
{
    s2sad_swap_stacks(&from->pointer, to->pointer);
    __asm__ volatile("" : : : "memory");
}
S2SAD_UNSEEN static void s2sad_begin(s2sad_stack *stack, void (*entry)(), unsigned number)
{
    // Stacks that all begin at the same page offset conflict in the cache.
    char *top = stack->memory + s2sad_guard_bytes + s2sad_stack_bytes - (number % 16) * 192;
    void **words = (void **)(((uintptr_t)top & ~(uintptr_t)15) - 8);  // rsp % 16 == 8 on entry
    *--words = (void *)entry;
    for (int i = 0; i < 6; ++i)
        *--words = 0;
    stack->pointer = words;
}
#endif

// Each stack has inaccessible guard pages below it, so that an overrun crashes.
template <class Thread> S2SAD_UNSEEN static bool s2sad_new_stacks(Thread *threads, unsigned count)
{
    const size_t each = s2sad_guard_bytes + s2sad_stack_bytes;
    char *all = (char *)mmap(0, each * count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return false;
    for (unsigned i = 0; i < count; ++i) {
        threads[i].stack.memory = all + each * i;
        if (mprotect(threads[i].stack.memory, s2sad_guard_bytes, PROT_NONE) != 0)
            return false;
    }
    return true;
}
template <class Thread> S2SAD_UNSEEN static void s2sad_free_stacks(Thread *threads, unsigned count)
{
    if (count)
        munmap(threads[0].stack.memory, (s2sad_guard_bytes + s2sad_stack_bytes) * count);
}

}  // namespace cuda_on_cpu
