// Accesses that a watched build reports to the watcher, or hides from it.
//
// In a watched build (S2SAD_WATCHED) the compiler calls the watcher at each access of the text's own code.
// The engine's functions are compiled without those calls: their accesses aren't the kernel's. Functions
// of our headers that access a pointer of the caller report it themselves, at the caller's place.
#pragma once

#ifdef S2SAD_WATCHED
#if defined(__clang__)
#define S2SAD_UNSEEN __attribute__((disable_sanitizer_instrumentation, no_sanitize("thread", "undefined")))
#else
#define S2SAD_UNSEEN __attribute__((no_sanitize("thread", "undefined")))
#endif
// Not inlined: it would become instrumented code of the kernel, and its return address is the caller's place.
#define S2SAD_APART static S2SAD_UNSEEN __attribute__((noinline, unused))
#define S2SAD_SEEN(what, p) s2sad_seen(s2sad_watch_##what, p, sizeof *(p), __builtin_return_address(0))
#define S2SAD_SEEN_ALL(n, p)                                                                                \
    if ((n) > 0) s2sad_seen(s2sad_watch_read, p, (size_t)(n) * sizeof *(p), __builtin_return_address(0))
#else
#define S2SAD_UNSEEN
#define S2SAD_APART S2SAD_INLINE
#define S2SAD_SEEN(what, p) ((void)0)
#define S2SAD_SEEN_ALL(n, p) ((void)0)
#endif

#ifdef S2SAD_WATCHED
enum s2sad_watched_access { s2sad_watch_read, s2sad_watch_write, s2sad_watch_atomic };

extern "C" {
S2SAD_HIDDEN void s2sad_seen(unsigned what, const volatile void *p, size_t size, void *place);
// Events of a launch: blocks one after the other, the threads of each in turn.
S2SAD_HIDDEN void s2sad_watch_launch(const unsigned *block, void (*leave)(const char *, int));
S2SAD_HIDDEN void s2sad_watch_shared(char *fixed, size_t fixed_size, char *dynamic, size_t dynamic_size, size_t room);
S2SAD_HIDDEN void s2sad_watch_stacks(char *low, size_t size);
S2SAD_HIDDEN void s2sad_watch_block(uint64_t block);
S2SAD_HIDDEN void s2sad_watch_thread(unsigned thread);
S2SAD_HIDDEN void s2sad_watch_barrier();
S2SAD_HIDDEN void s2sad_watch_missed(int line, unsigned waiting, unsigned returned, unsigned first);
S2SAD_HIDDEN void s2sad_watch_warp(unsigned first, unsigned lanes);
S2SAD_HIDDEN void s2sad_watch_fence();
S2SAD_HIDDEN void s2sad_watch_end();
}
#else
static inline void s2sad_watch_launch(const unsigned *, void (*)(const char *, int)) {}
static inline void s2sad_watch_shared(char *, size_t, char *, size_t, size_t) {}
static inline void s2sad_watch_stacks(char *, size_t) {}
static inline void s2sad_watch_block(uint64_t) {}
static inline void s2sad_watch_thread(unsigned) {}
static inline void s2sad_watch_barrier() {}
static inline void s2sad_watch_missed(int, unsigned, unsigned, unsigned) {}
static inline void s2sad_watch_warp(unsigned, unsigned) {}
static inline void s2sad_watch_fence() {}
static inline void s2sad_watch_end() {}
#endif
