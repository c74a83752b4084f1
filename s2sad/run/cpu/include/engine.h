// The parts of a launch that both engines share: geometry, order of execution, shared memory, arguments.
//
// The caller passes one packed request (written by module.py): a header, then each argument in a slot whose
// size is a multiple of eight bytes.
#pragma once

namespace cuda_on_cpu {

struct s2sad_request {
    uint32_t grid[3], block[3];
    uint64_t shared_bytes;
    // The i-th block (thread) to run is (factor * i + first) % count: with factor 1 the natural order, with
    // count - 1 the reverse, else a permutation.
    uint64_t block_factor, block_first, thread_factor, thread_first;
    uint64_t strict;  // a barrier is an error if a thread of the block has returned
    char slots[];
};

static constexpr size_t s2sad_message_size = 2048;
static char *s2sad_message;
static const s2sad_request *s2sad_now;

S2SAD_INLINE uint3 s2sad_place(uint64_t i, const uint32_t *extent)
{
    return {(unsigned)(i % extent[0]), (unsigned)(i / extent[0] % extent[1]),
            (unsigned)(i / extent[0] / extent[1])};
}
S2SAD_INLINE uint64_t s2sad_count(const uint32_t *extent)
{
    return (uint64_t)extent[0] * extent[1] * extent[2];
}

// ---- shared memory -------------------------------------------------------------------------------------
#ifdef S2SAD_DYNAMIC_SHARED
extern "C" {
S2SAD_HIDDEN __attribute__((aligned(128))) char s2sad_dynamic_shared[S2SAD_DYNAMIC_SHARED + 4096];
}
static constexpr size_t s2sad_guard = 1024;
// The text accesses these bytes by its own name and type; hide from the compiler that they are the same.
S2SAD_INLINE unsigned char *s2sad_dynamic()
{
    char *p = s2sad_dynamic_shared;
    __asm__ volatile("" : "+r"(p) : : "memory");
    return (unsigned char *)p;
}
S2SAD_UNSEEN __attribute__((noinline, unused)) static uint64_t s2sad_dynamic_bytes()
{
    return s2sad_now->shared_bytes;
}
#endif
#if defined(__APPLE__)
extern char s2sad_shared_start[] __asm("section$start$__DATA$s2sad_shared");
extern char s2sad_shared_stop[] __asm("section$end$__DATA$s2sad_shared");
#else
extern "C" {
extern char __start_s2sad_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_s2sad_shared[] __attribute__((weak, visibility("hidden")));
}
#define s2sad_shared_start __start_s2sad_shared
#define s2sad_shared_stop __stop_s2sad_shared
#endif

// Set all bits, which is NaN, and -1: unwritten shared memory mustn't look like a value.
S2SAD_UNSEEN __attribute__((noinline, unused)) static void s2sad_open_block()
{
    char *start = s2sad_shared_start, *stop = s2sad_shared_stop;
    __asm__ volatile("" : "+r"(start), "+r"(stop) : : "memory");
    if (start != stop)
        memset(start, 255, (size_t)(stop - start));
#ifdef S2SAD_DYNAMIC_SHARED
    memset(s2sad_dynamic(), 255, s2sad_now->shared_bytes + s2sad_guard);
#endif
    __asm__ volatile("" : : : "memory");
}
S2SAD_UNSEEN __attribute__((noinline, unused)) static bool s2sad_close_block()
{
#ifdef S2SAD_DYNAMIC_SHARED
    unsigned char *p = s2sad_dynamic() + s2sad_now->shared_bytes;
    for (size_t i = 0; i < s2sad_guard; ++i)
        if (p[i] != 255) {
            snprintf(s2sad_message, s2sad_message_size,
                     "block (%u, %u, %u) wrote byte %llu of dynamic shared memory; the launch gave it %llu",
                     blockIdx.x, blockIdx.y, blockIdx.z, (unsigned long long)(s2sad_now->shared_bytes + i),
                     (unsigned long long)s2sad_now->shared_bytes);
            return false;
        }
#endif
    return true;
}
S2SAD_INLINE bool s2sad_has_shared()
{
#ifdef S2SAD_DYNAMIC_SHARED
    return true;
#else
    return s2sad_shared_start != s2sad_shared_stop;
#endif
}

#ifdef S2SAD_SHARED_ROOM
// Shared variables in templates, for which compilers ignore sections. Each gets its place here when a launch
// first executes its declaration. `place` is the launch's number and, in the lower half, the place, from 1.
static __attribute__((section(S2SAD_SHARED_SECTION), aligned(128))) char s2sad_lodgings[S2SAD_SHARED_ROOM];
struct s2sad_lodger { const char *name; size_t start, size; };
static s2sad_lodger s2sad_lodgers[64];
static unsigned s2sad_lodger_count;
static size_t s2sad_room_taken;
// Variables at file scope get their place before any launch, in epoch 1, and keep it.
static size_t s2sad_room_epoch = 1, s2sad_room_kept;
static unsigned s2sad_lodgers_kept;
S2SAD_UNSEEN __attribute__((unused)) static void s2sad_clear_room()
{
    if (s2sad_room_epoch++ == 1) {
        s2sad_room_kept = s2sad_room_taken;
        s2sad_lodgers_kept = s2sad_lodger_count;
    }
    s2sad_room_taken = s2sad_room_kept;
    s2sad_lodger_count = s2sad_lodgers_kept;
}
S2SAD_UNSEEN __attribute__((noinline, unused)) static void s2sad_lodge(size_t &place, size_t size, const char *name)
{
    if (s2sad_room_taken + size > sizeof s2sad_lodgings)
        s2sad_fail("static shared memory is larger than a block may have", __builtin_LINE());
    if (s2sad_lodger_count < sizeof s2sad_lodgers / sizeof *s2sad_lodgers)
        s2sad_lodgers[s2sad_lodger_count++] = {name, s2sad_room_taken, size};
    place = s2sad_room_epoch << 32 | (s2sad_room_taken + 1);
    s2sad_room_taken += (size + 255) / 128 * 128;
}
template <class T> S2SAD_UNSEEN __attribute__((noinline, unused)) static T &s2sad_lodged(size_t &place, const char *name)
{
    if (place >> 32 != s2sad_room_epoch)
        s2sad_lodge(place, sizeof(T), name);
    return *(T *)(s2sad_lodgings + (place & 0xffffffffu) - 1);
}
extern "C" __attribute__((visibility("default"), unused)) const char *s2sad_lodger_at(size_t place, size_t *start)
{
    for (unsigned i = 0; i < s2sad_lodger_count; ++i)
        if (place - s2sad_lodgers[i].start < s2sad_lodgers[i].size + 128) {
            *start = s2sad_lodgers[i].start;
            return s2sad_lodgers[i].name;
        }
    return 0;
}
#endif

// ---- arguments -----------------------------------------------------------------------------------------
template <size_t... I> struct s2sad_indices {};
template <size_t N, size_t... I> struct s2sad_upto : s2sad_upto<N - 1, N - 1, I...> {};
template <size_t... I> struct s2sad_upto<0, I...> { typedef s2sad_indices<I...> list; };

template <class... P> struct s2sad_slots {
    size_t offset[sizeof...(P) + 1];
    constexpr s2sad_slots() : offset()
    {
        size_t size[] = {sizeof(P)..., 0};
        for (size_t i = 0; i < sizeof...(P); ++i)
            offset[i + 1] = offset[i] + (size[i] + 7) / 8 * 8;
    }
};
template <class T> S2SAD_INLINE T s2sad_argument(const char *slot)
{
    union room { T value; room() {} ~room() {} } made;  // a class may have no default constructor
    memcpy((void *)&made.value, slot, sizeof(T));
    return made.value;
}
// The description of a parameter, which the caller compares with its argument.
template <class T> constexpr char s2sad_letter = s2sad_floating<T> ? 'f' : s2sad_integer<T> || __is_enum(T) ? 'i' : 'S';
template <class T> constexpr char s2sad_letter<T *> = 'P';
#if defined(S2SAD_HALF) && !defined(S2SAD_DUAL_NUMBERS)
template <class As> constexpr char s2sad_letter<s2sad_narrow<As>> = 'f';
#endif
template <class T> struct s2sad_pointee { static constexpr size_t size = 0; static constexpr char letter = '-'; };
template <class T> struct s2sad_element { using type = T; };
template <class T, size_t N> struct s2sad_element<T[N]> : s2sad_element<T> {};
template <class T> struct s2sad_pointee<T *>
{
    using element = typename s2sad_element<T>::type;  // for a pointer to arrays, the arrays' element type
    static constexpr size_t size = sizeof(element);
    static constexpr char letter = s2sad_letter<element>;
};
template <class T> struct s2sad_pointee<const T *> : s2sad_pointee<T *> {};
template <class T> struct s2sad_pointee<volatile T *> : s2sad_pointee<T *> {};
template <class T> struct s2sad_pointee<const volatile T *> : s2sad_pointee<T *> {};
template <> struct s2sad_pointee<void *> { static constexpr size_t size = 1; static constexpr char letter = 'i'; };

template <class R, class... P> S2SAD_UNSEEN static const char *s2sad_describe(R (*)(P...))
{
    static char text[sizeof...(P) * 16 + 1];
    char *end = text;
    ((end += snprintf(end, 16, "%c%u%c%u ", s2sad_letter<P>, (unsigned)sizeof(P), s2sad_pointee<P>::letter,
                      (unsigned)s2sad_pointee<P>::size)), ...);
    return text;
}

}  // namespace cuda_on_cpu

#ifdef S2SAD_FIBERS
#include "fibers.h"
#else
#include "loops.h"
#endif

namespace cuda_on_cpu {

S2SAD_INLINE void s2sad_begin_watch()
{
#ifdef S2SAD_WATCHED
    char *start = s2sad_shared_start, *stop = s2sad_shared_stop;
#ifdef S2SAD_DYNAMIC_SHARED
    s2sad_watch_shared(start, (size_t)(stop - start), (char *)s2sad_dynamic(), s2sad_now->shared_bytes,
                       sizeof s2sad_dynamic_shared);
#else
    s2sad_watch_shared(start, (size_t)(stop - start), 0, 0, 0);
#endif
    s2sad_watch_launch(s2sad_now->block, s2sad_fail);
#endif
}

template <auto Kernel, class... P, size_t... I>
S2SAD_UNSEEN static int s2sad_start(void (*)(P...), s2sad_indices<I...>, const s2sad_request *request, char *message)
{
    s2sad_now = request;
    s2sad_message = message;
    message[0] = 0;
#ifdef S2SAD_SHARED_ROOM
    s2sad_clear_room();
#endif
    S2SAD_NOW(gridDim) = dim3(request->grid[0], request->grid[1], request->grid[2]);
    S2SAD_NOW(blockDim) = dim3(request->block[0], request->block[1], request->block[2]);
#ifdef S2SAD_DYNAMIC_SHARED
    if (request->shared_bytes > S2SAD_DYNAMIC_SHARED) {
        snprintf(message, s2sad_message_size, "%llu bytes of dynamic shared memory; at most %llu",
                 (unsigned long long)request->shared_bytes, (unsigned long long)S2SAD_DYNAMIC_SHARED);
        return 1;
    }
#endif
    constexpr s2sad_slots<P...> slots;
    (void)slots;
    s2sad_begin_watch();
#ifdef S2SAD_DUAL_NUMBERS
    s2sad_tie_count = 0;
    s2sad_decisions = 0;
#endif
    int failed = s2sad_run<Kernel, P...>(s2sad_argument<P>(request->slots + slots.offset[I])...);
    s2sad_watch_end();
#ifdef S2SAD_PRINTS
    fflush(stdout);
#endif
    return failed;
}
template <auto Kernel, class... P>
S2SAD_INLINE int s2sad_launch(void (*kernel)(P...), const s2sad_request *request, char *message)
{
    return s2sad_start<Kernel>(kernel, typename s2sad_upto<sizeof...(P)>::list(), request, message);
}

// NAME_tape_bytes(grid, block, scalars...) and NAME_shared_bytes(grid, block, bytes, scalars...).
template <class... P, size_t... I>
S2SAD_INLINE size_t s2sad_size(size_t (*size)(dim3, dim3, P...), s2sad_indices<I...>, const s2sad_request *request)
{
    constexpr s2sad_slots<P...> slots;
    (void)slots;
    return size(dim3(request->grid[0], request->grid[1], request->grid[2]),
                dim3(request->block[0], request->block[1], request->block[2]),
                s2sad_argument<P>(request->slots + slots.offset[I])...);
}
template <class... P> S2SAD_INLINE size_t s2sad_size_of(size_t (*size)(dim3, dim3, P...), const s2sad_request *request)
{
    return s2sad_size(size, typename s2sad_upto<sizeof...(P)>::list(), request);
}

#define S2SAD_EXPORT extern "C" __attribute__((visibility("default")))
#ifdef S2SAD_DUAL_NUMBERS
// Shake later launches if `seed` isn't zero.
S2SAD_EXPORT void s2sad_shake_launches(uint64_t seed) { s2sad_shake = seed; }
// Return the ties of the last launch, with their places in the library.
S2SAD_EXPORT unsigned s2sad_ties_found(const s2sad_tie **list, const void **image, uint64_t *decisions)
{
    *decisions = s2sad_decisions;
    *list = s2sad_ties;
    *image = s2sad_image;
    return s2sad_tie_count;
}
#endif
#define S2SAD_KERNEL(name)                                                                                  \
    S2SAD_EXPORT int s2sad_launch_##name(const ::cuda_on_cpu::s2sad_request *request, char *message)        \
    {                                                                                                       \
        return ::cuda_on_cpu::s2sad_launch<&::cuda_on_cpu::name>(&::cuda_on_cpu::name, request, message);   \
    }                                                                                                       \
    S2SAD_EXPORT const char *s2sad_parameters_##name() { return ::cuda_on_cpu::s2sad_describe(&::cuda_on_cpu::name); }
#define S2SAD_SIZE(name)                                                                     \
    S2SAD_EXPORT size_t s2sad_call_##name(const ::cuda_on_cpu::s2sad_request *request)       \
    {                                                                                        \
        return ::cuda_on_cpu::s2sad_size_of(&::cuda_on_cpu::name, request);                  \
    }                                                                                        \
    S2SAD_EXPORT const char *s2sad_parameters_##name() { return ::cuda_on_cpu::s2sad_describe(&::cuda_on_cpu::name); }

}  // namespace cuda_on_cpu
