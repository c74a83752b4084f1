// The engine for kernels whose threads wait for each other: one fiber per thread, resumed in turn.
//
// A pass resumes every thread that can run, until it waits or returns. After a pass all threads wait. Then
// the block's barrier opens if all threads that haven't returned have reached it, or else warp operations
// complete whose lanes have all arrived. If neither happens, the kernel's barriers are divergent, and the launch
// reports which threads wait where. Values exchanged by warps are copied when the operation completes, so that
// a lane that runs ahead can't overwrite a value before another reads it.
#pragma once

#include "stacks.h"

namespace cuda_on_cpu {

enum s2sad_state : unsigned char { S2SAD_RUNS, S2SAD_AT_BARRIER, S2SAD_AT_WARP, S2SAD_RETURNED };

struct s2sad_thread {
    s2sad_stack stack;
    uint3 index;
    s2sad_state state;
    unsigned char operation;     // the warp operation it waits in
    int line, predicate;         // the line where it waits; its vote
    unsigned mask, participants; // the lanes that should take part; those that did
    uint64_t value;              // the value it offers to its warp
};

static s2sad_thread *s2sad_threads;
static uint64_t *s2sad_offered;  // per thread, the value offered to the last completed warp operation
static unsigned s2sad_size_of_block, s2sad_room, s2sad_alive, s2sad_current;
static int s2sad_votes_for;      // threads with a true predicate at the last barrier that opened
static bool s2sad_failed;
static s2sad_stack s2sad_scheduler;
static void (*s2sad_body)();

S2SAD_INLINE s2sad_thread &s2sad_self() { return s2sad_threads[s2sad_current]; }

S2SAD_INLINE void s2sad_wait()
{
    s2sad_switch(&s2sad_self().stack, &s2sad_scheduler);
}

[[noreturn]] S2SAD_UNSEEN inline void s2sad_fail(const char *message, int line)
{
    snprintf(s2sad_message, s2sad_message_size, "line %d, block (%u, %u, %u), thread (%u, %u, %u): %s", line,
             blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, message);
    s2sad_failed = true;
    for (;;)
        s2sad_wait();
}

// The entry point of every fiber. It never returns: it runs its thread of each block in turn.
S2SAD_UNSEEN static void s2sad_fiber()
{
    for (;;) {
        s2sad_body();
        s2sad_self().state = S2SAD_RETURNED;
        --s2sad_alive;
        s2sad_wait();
    }
}

// ---- barriers ------------------------------------------------------------------------------------------
S2SAD_UNSEEN __attribute__((noinline)) static int s2sad_barrier(int predicate, int line)
{
    s2sad_thread &self = s2sad_self();
    self.state = S2SAD_AT_BARRIER;
    self.line = line;
    self.predicate = predicate != 0;
    s2sad_wait();
    return s2sad_votes_for;
}
S2SAD_INLINE void __syncthreads(int line = __builtin_LINE()) { s2sad_barrier(0, line); }
S2SAD_INLINE int __syncthreads_count(int p, int line = __builtin_LINE()) { return s2sad_barrier(p, line); }
S2SAD_INLINE int __syncthreads_or(int p, int line = __builtin_LINE()) { return s2sad_barrier(p, line) != 0; }
S2SAD_INLINE int __syncthreads_and(int p, int line = __builtin_LINE()) { return s2sad_barrier(!p, line) == 0; }
S2SAD_INLINE void __barrier_sync(unsigned id, int line = __builtin_LINE())
{
    if (id != 0)
        s2sad_fail("named barriers don't run on the CPU yet", line);
    s2sad_barrier(0, line);
}
S2SAD_INLINE void __barrier_sync_count(unsigned, unsigned, int line = __builtin_LINE())
{
    s2sad_fail("barriers of a part of the block don't run on the CPU yet", line);
}
// A cluster is one block here.
S2SAD_INLINE void __cluster_barrier_arrive() {}
S2SAD_INLINE void __cluster_barrier_arrive_relaxed() {}
S2SAD_INLINE void __cluster_barrier_wait(int line = __builtin_LINE()) { s2sad_barrier(0, line); }

// ---- the scheduler -------------------------------------------------------------------------------------
// Completes warp operations whose lanes have all arrived. Lanes that don't exist or have returned aren't
// awaited.
S2SAD_UNSEEN static bool s2sad_complete_warps()
{
    bool any = false;
    for (unsigned first = 0; first < s2sad_size_of_block; first += 32) {
        s2sad_thread *warp = s2sad_threads + first;
        unsigned lanes = s2sad_size_of_block - first < 32 ? s2sad_size_of_block - first : 32, alive = 0, waiting = 0;
        for (unsigned l = 0; l < lanes; ++l) {
            alive |= (unsigned)(warp[l].state != S2SAD_RETURNED) << l;
            waiting |= (unsigned)(warp[l].state == S2SAD_AT_WARP) << l;
        }
        while (waiting) {
            const s2sad_thread &asks = warp[__builtin_ctz(waiting)];
            unsigned group = 0, needed = asks.mask & alive;
            const bool asks_to_order = asks.operation == 0;  // S2SAD_SYNC: shuffles and votes order no memory
            for (unsigned l = 0; l < lanes; ++l)
                if (waiting >> l & 1 && warp[l].mask == asks.mask && warp[l].operation == asks.operation)
                    group |= 1u << l;
            waiting &= ~group;
            if ((needed & ~group) != 0)
                continue;
            for (unsigned l = 0; l < lanes; ++l)
                if (group >> l & 1) {
                    s2sad_offered[first + l] = warp[l].value;
                    warp[l].participants = group;
                    warp[l].state = S2SAD_RUNS;
                }
            if (asks_to_order)
                s2sad_watch_warp(first, group);
            any = true;
        }
    }
    return any;
}

S2SAD_INLINE const char *s2sad_what(const s2sad_thread &thread)
{
    return thread.state == S2SAD_AT_BARRIER ? "wait at the barrier" : "wait in the warp operation";
}

// Reports which threads wait where, up to four groups.
S2SAD_UNSEEN static void s2sad_report_divergence()
{
    char *end = s2sad_message, *limit = s2sad_message + s2sad_message_size - 160;
    end += snprintf(end, 160, "divergent barrier in block (%u, %u, %u): ", blockIdx.x, blockIdx.y, blockIdx.z);
    unsigned returned = 0, groups = 0;
    for (unsigned t = 0; t < s2sad_size_of_block; ++t) {
        const s2sad_thread &thread = s2sad_threads[t];
        if (thread.state == S2SAD_RETURNED) {
            ++returned;
            continue;
        }
        bool counted = false;
        unsigned same = 0;
        for (unsigned u = 0; u < s2sad_size_of_block; ++u) {
            const s2sad_thread &other = s2sad_threads[u];
            if (other.state != thread.state || other.line != thread.line)
                continue;
            counted |= u < t;
            ++same;
        }
        if (counted || groups >= 4 || end > limit)
            continue;
        end += snprintf(end, 160, "%s%u thread%s (first (%u, %u, %u)) %s in line %d", groups++ ? "; " : "", same,
                        same == 1 ? "" : "s", thread.index.x, thread.index.y, thread.index.z, s2sad_what(thread),
                        thread.line);
    }
    if (returned)
        snprintf(end, 160, "; %u ha%s returned", returned, returned == 1 ? "s" : "ve");
}

// Opens the block's barrier if all threads that haven't returned wait in the same line; else returns false.
S2SAD_UNSEEN static bool s2sad_open_barrier()
{
    int line = 0, votes = 0;
    bool first = true;
    unsigned waiting = 0, returned = 0, gone = 0;  // first waiting thread; number returned; first returned
    for (unsigned t = 0; t < s2sad_size_of_block; ++t) {
        const s2sad_thread &thread = s2sad_threads[t];
        if (thread.state == S2SAD_RETURNED) {
            if (s2sad_now->strict)
                return false;
            if (returned++ == 0)
                gone = t;
            continue;
        }
        if (thread.state != S2SAD_AT_BARRIER || (!first && thread.line != line))
            return false;
        if (first)
            waiting = t;
        line = thread.line;
        first = false;
        votes += thread.predicate;
    }
    for (unsigned t = 0; t < s2sad_size_of_block; ++t)
        if (s2sad_threads[t].state == S2SAD_AT_BARRIER)
            s2sad_threads[t].state = S2SAD_RUNS;
    s2sad_votes_for = votes;
    s2sad_watch_barrier();
    if (returned)
        s2sad_watch_missed(line, waiting, returned, gone);
    return true;
}

S2SAD_UNSEEN static bool s2sad_run_block()
{
    const s2sad_request &r = *s2sad_now;
    const unsigned threads = s2sad_size_of_block;
    s2sad_alive = threads;
    for (unsigned t = 0; t < threads; ++t)
        s2sad_threads[t].state = S2SAD_RUNS;
    for (;;) {
        unsigned t = (unsigned)r.thread_first, factor = (unsigned)r.thread_factor;
        for (unsigned k = 0; k < threads; ++k) {
            if (s2sad_threads[t].state == S2SAD_RUNS) {
                s2sad_current = t;
                S2SAD_NOW(threadIdx) = s2sad_threads[t].index;
                s2sad_watch_thread(t);
                s2sad_switch(&s2sad_scheduler, &s2sad_threads[t].stack);
                if (s2sad_failed)
                    return false;
            }
            t += factor;
            if (t >= threads)
                t -= threads;
        }
        if (s2sad_alive == 0)
            return true;
        if (!s2sad_open_barrier() && !s2sad_complete_warps()) {
            s2sad_report_divergence();
            return false;
        }
    }
}

// Stacks are freed after each launch: those of a few hundred libraries would exhaust a process's mappings.
S2SAD_UNSEEN static bool s2sad_prepare(unsigned threads)
{
    s2sad_threads = (s2sad_thread *)calloc(threads, sizeof *s2sad_threads);
    s2sad_offered = (uint64_t *)calloc(threads, sizeof *s2sad_offered);
    if (!s2sad_threads || !s2sad_offered || !s2sad_new_stacks(s2sad_threads, threads)) {
        snprintf(s2sad_message, s2sad_message_size, "no memory for the stacks of %u threads", threads);
        return false;
    }
    s2sad_room = threads;
    s2sad_failed = false;
    s2sad_size_of_block = threads;
    for (unsigned t = 0; t < threads; ++t) {
        s2sad_begin(&s2sad_threads[t].stack, s2sad_fiber, t);
        s2sad_threads[t].index = s2sad_place(t, s2sad_now->block);
    }
    return true;
}

// The kernel's arguments, in one type per kernel, for the fibers.
template <auto Kernel, class... P> struct s2sad_call {
    static const char *slots;
    template <size_t... I> S2SAD_INLINE void with(s2sad_indices<I...>)
    {
        constexpr s2sad_slots<P...> offsets;
        (void)offsets;
        Kernel(s2sad_argument<P>(slots + offsets.offset[I])...);
    }
    S2SAD_UNSEEN static void body() { with(typename s2sad_upto<sizeof...(P)>::list()); }
};
template <auto Kernel, class... P> const char *s2sad_call<Kernel, P...>::slots;

struct s2sad_stacks_of_launch {
    S2SAD_UNSEEN ~s2sad_stacks_of_launch()
    {
        s2sad_free_stacks(s2sad_threads, s2sad_room);
        free(s2sad_threads);
        free(s2sad_offered);
        s2sad_threads = 0;
        s2sad_offered = 0;
        s2sad_room = 0;
    }
};

template <auto Kernel, class... P> S2SAD_UNSEEN __attribute__((noinline)) static int s2sad_run(P...)
{
    const s2sad_request &r = *s2sad_now;
    s2sad_stacks_of_launch release;
    s2sad_call<Kernel, P...>::slots = r.slots;
    s2sad_body = s2sad_call<Kernel, P...>::body;
    if (!s2sad_prepare((unsigned)s2sad_count(r.block)))
        return 1;
    s2sad_watch_stacks(s2sad_threads[0].stack.memory, (s2sad_guard_bytes + s2sad_stack_bytes) * s2sad_room);
    const bool shared = s2sad_has_shared();
    const uint64_t blocks = s2sad_count(r.grid);
    for (uint64_t b = 0, block = r.block_first; b < blocks; ++b, block = (block + r.block_factor) % blocks) {
        S2SAD_NOW(blockIdx) = s2sad_place(block, r.grid);
        s2sad_watch_block(block);
        if (shared)
            s2sad_open_block();
        if (!s2sad_run_block())
            return 1;
        if (shared && !s2sad_close_block())
            return 1;
    }
    return 0;
}

}  // namespace cuda_on_cpu

#include "warps.h"
