// The engine for kernels whose threads never wait for each other: loops over blocks and threads, with the
// kernel inlined into them.
#pragma once

namespace cuda_on_cpu {

static void *s2sad_escape[5];

[[noreturn]] S2SAD_UNSEEN inline void s2sad_fail(const char *message, int line)
{
    snprintf(s2sad_message, s2sad_message_size, "line %d, block (%u, %u, %u), thread (%u, %u, %u): %s", line,
             blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, message);
    __builtin_longjmp(s2sad_escape, 1);
}

// The natural order, as nested loops with launch-constant bounds, so that the compiler can vectorise.
template <auto Kernel, class... P> __attribute__((noinline)) static bool s2sad_forward(P... arguments)
{
    const uint3 grid = gridDim, block = blockDim;
    const bool shared = s2sad_has_shared();
    for (unsigned bz = 0; bz < grid.z; ++bz)
        for (unsigned by = 0; by < grid.y; ++by)
            for (unsigned bx = 0; bx < grid.x; ++bx) {
                S2SAD_NOW(blockIdx) = {bx, by, bz};
                if (shared)
                    s2sad_open_block();
                for (unsigned z = 0; z < block.z; ++z)
                    for (unsigned y = 0; y < block.y; ++y)
                        for (unsigned x = 0; x < block.x; ++x) {
                            S2SAD_NOW(threadIdx) = {x, y, z};
                            Kernel(arguments...);
                        }
                if (shared && !s2sad_close_block())
                    return false;
            }
    return true;
}

template <auto Kernel, class... P> S2SAD_UNSEEN __attribute__((noinline)) static bool s2sad_permuted(P... arguments)
{
    const s2sad_request &r = *s2sad_now;
    const uint64_t blocks = s2sad_count(r.grid), threads = s2sad_count(r.block);
    const bool shared = s2sad_has_shared();
    for (uint64_t b = 0, block = r.block_first; b < blocks; ++b, block = (block + r.block_factor) % blocks) {
        S2SAD_NOW(blockIdx) = s2sad_place(block, r.grid);
        s2sad_watch_block(block);
        if (shared)
            s2sad_open_block();
        for (uint64_t t = 0, thread = r.thread_first; t < threads; ++t, thread = (thread + r.thread_factor) % threads) {
            S2SAD_NOW(threadIdx) = s2sad_place(thread, r.block);
            s2sad_watch_thread((unsigned)thread);
            Kernel(arguments...);
        }
        if (shared && !s2sad_close_block())
            return false;
    }
    return true;
}

template <auto Kernel, class... P> S2SAD_UNSEEN __attribute__((noinline)) static int s2sad_run(P... arguments)
{
    const s2sad_request &r = *s2sad_now;
    if (__builtin_setjmp(s2sad_escape))
        return 1;
#ifdef S2SAD_WATCHED
    // threads' locals are below this frame
    const size_t room = 8 << 20;
    char *top = (char *)__builtin_frame_address(0);
    s2sad_watch_stacks(top - room, room);
    return s2sad_permuted<Kernel, P...>(arguments...) ? 0 : 1;
#else
    bool natural = r.block_factor == 1 && r.block_first == 0 && r.thread_factor == 1 && r.thread_first == 0;
    return (natural ? s2sad_forward<Kernel, P...>(arguments...) : s2sad_permuted<Kernel, P...>(arguments...)) ? 0 : 1;
#endif
}

}  // namespace cuda_on_cpu
