// Checks each access of a kernel: races, out-of-bounds accesses, shared memory read before it is written.
//
// The kernel is compiled with the compiler's own thread instrumentation, and this file defines the functions
// that it calls. Every element of every array has a cell that records its last write, and enough of its
// reads and atomic updates to find one that the next access isn't ordered after:
//
//   far    one from an earlier block if there is any; else one of another warp than `last`
//   last   the last one
//   other  the last one of another thread, of the same warp as `last`
//
// Blocks run one after the other, so later accesses are unordered with all of an earlier block's, and one of
// those is enough. Time is counted in events: the start of a block, a barrier, a __syncwarp. Two
// accesses of a block are ordered by a barrier between them, two of a warp by a __syncwarp in which both lanes
// took part, two of different blocks only by an atomic after a fence. Timing doesn't matter:
// the same launch gives the same report.
//
// Compiled separately, without instrumentation.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#define HIDDEN extern "C" __attribute__((visibility("hidden")))
#define EXPORT extern "C" __attribute__((visibility("default")))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define RARE static __attribute__((noinline, cold))

namespace {

// ---- findings ------------------------------------------------------------------------------------------
enum kind : uint32_t {
    race, outside, nowhere, unwritten, past_end, division, missing_return, hang, misaligned, missed
};
enum access : uint32_t { reads, writes, changes };  // changes: atomically

struct side {
    uint64_t block, place;  // place: code address relative to the start of the library
    uint32_t thread, access;
};
struct fault {
    uint32_t kind, array, size, same;  // array: number of the argument, or one of the constants below
    int64_t offset;
    side here, there;  // there: the earlier access of a race
    uint32_t count, line;
    char text[64];
};
constexpr uint32_t fixed_array = 1000, dynamic_array = 1001, no_array = 1002, module_array = 1003;
constexpr uint32_t most_faults = 64;

fault faults[most_faults];
uint32_t fault_count;

// Counts of a launch: accesses to arrays and their bytes, in global and shared memory; barriers of blocks.
// `active` threads have stored something.
struct tally {
    uint64_t times[2][3], bytes[2][3], barriers, active;
} done;
uint32_t thread;
bool stored[1024];  // of the block's threads
inline void tell(bool shared, access what, uint32_t size)
{
    if (what != reads && !stored[thread]) {
        stored[thread] = true;
        ++done.active;
    }
    ++done.times[shared][what];
    done.bytes[shared][what] += size;
}

// ---- threads and times ---------------------------------------------------------------------------------
// A record is 32 bits of time, 10 of thread, 22 of place; 0 is no record.
typedef uint64_t record;
struct cell {
    record written, reader, changer;  // the last of each
    uint64_t more;                    // number of the further records, 0 if there are none; and flags
};
// Flags that the far record is of an earlier block: later accesses are unordered with it.
constexpr uint64_t far_reader_settled = 1ull << 63, far_changer_settled = 1ull << 62;
constexpr uint64_t number_of_further = far_changer_settled - 1;
struct further {
    record far_reader, other_reader, far_changer, other_changer;
};

uint32_t now, block_began, barrier_at;
uint64_t mine;  // the thread's part of a record
uint64_t block;
bool warps_met;
uint32_t met[1024][32];  // when a thread and a lane of its warp last met
struct beginning { uint32_t at; uint64_t block; };
beginning *beginnings;
size_t beginning_count, beginning_room;
void (*leave)(const char *, int);
uint64_t last_place;

inline uint32_t time_of(record r) { return (uint32_t)(r >> 32); }
inline uint32_t thread_of(record r) { return (uint32_t)(r >> 22) & 1023; }
inline uint32_t place_of(record r) { return (uint32_t)r & 0x3fffff; }

uint64_t block_of(record r)
{
    size_t low = 0, high = beginning_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        (beginnings[middle].at <= time_of(r) ? low : high) = middle;
    }
    return beginnings[low].block;
}

// ---- memory --------------------------------------------------------------------------------------------
struct region {
    uintptr_t start;
    size_t size;
    uint32_t number, grain, grain_bits;
    bool shared, constant;  // constant: as declared, so that reads of it can't race
    cell *cells;
    size_t mapped;
};
region *arrays;
uint32_t array_count, slot_bits;
uintptr_t arena, arena_size;
size_t dynamic_room;  // the whole buffer, of which the launch requests a part
// Linked after the text's shared variables, so that pointers past their end are detected.
#if defined(__APPLE__)
constexpr size_t past_fixed = 0;
#else
__attribute__((section("s2sad_shared"), used, aligned(16))) char past_shared[1 << 14];
constexpr size_t past_fixed = sizeof past_shared;
#endif
uintptr_t fixed_room;

region fixed_region, dynamic_region, module_region;
uintptr_t image_low, image_size, stacks_low, stacks_size;

// Zeroed. Small sizes are mapped at once to avoid page faults; large sizes use huge pages.
void *pages(size_t size)
{
    const bool large = size >= 8 << 20;
    void *p = mmap(0, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (large ? 0 : MAP_POPULATE), -1, 0);
    if (p == MAP_FAILED)
        return 0;
    if (large)
        madvise(p, size, MADV_HUGEPAGE);
    return p;
}
void set_grain(region &r, uint32_t grain)
{
    r.grain = grain;
    r.grain_bits = (uint32_t)__builtin_ctz(grain);
}
bool make_cells(region &r)
{
    r.mapped = ((r.size >> r.grain_bits) + 2) * sizeof(cell);
    r.cells = (cell *)pages(r.mapped);
    return r.cells;
}
void drop_cells(region &r)
{
    if (r.cells)
        munmap(r.cells, r.mapped);
    r.cells = 0;
}
// Further records, in chunks that don't move; number 0 is unused and empty.
constexpr uint32_t chunk_bits = 12;
further **chunks;
size_t chunk_count, chunk_room;
uint64_t further_count = 1;

inline further &further_of(uint64_t more)
{
    const uint64_t number = more & number_of_further;
    return chunks[number >> chunk_bits][number & ((1 << chunk_bits) - 1)];
}
RARE bool new_chunk();
inline further *make_further(cell &c)
{
    if (!c.more) {
        if (further_count >> chunk_bits >= chunk_count && !new_chunk())
            return 0;
        c.more = further_count++;
        further_of(c.more) = further();
    }
    return &further_of(c.more);
}
// For an access smaller than a cell: split each cell into several with the same records.
RARE void refine(region &r, uint32_t grain)
{
    cell *old = r.cells;
    size_t had = r.mapped, count = (r.size >> r.grain_bits) + 1;
    uint32_t times = r.grain / grain;
    set_grain(r, grain);
    if (!old || !make_cells(r))
        return;
    for (size_t i = 0; i < count; ++i)
        if (old[i].written | old[i].changer | old[i].reader)
            for (uint32_t k = 0; k < times && i * times + k < (r.size >> r.grain_bits) + 2; ++k) {
                cell &c = r.cells[i * times + k];
                c = old[i];
                c.more = 0;
                if (old[i].more)
                    if (further *f = make_further(c))
                        *f = further_of(old[i].more);
            }
    munmap(old, had);
}

// ---- order between blocks: an atomic after a fence, and one on the same element later ------------------------
struct release { uintptr_t element; uint64_t block; uint32_t barrier, thread, fence; };
struct acquired { uint32_t release, thread, at; };
release *releases;
size_t release_count, release_room;
acquired *acquisitions;
size_t acquired_count, acquired_room;
uint32_t fenced[1024];
bool fences;

template <class T> T *push(T *&list, size_t &count, size_t &room)
{
    if (count == room) {
        size_t wanted = room ? 2 * room : 256;
        T *larger = (T *)realloc(list, wanted * sizeof(T));
        if (!larger)
            return 0;
        list = larger;
        room = wanted;
    }
    return &list[count++];
}
bool new_chunk()
{
    further *entries = (further *)pages(sizeof(further) << chunk_bits), **slot;
    if (!entries || !(slot = push(chunks, chunk_count, chunk_room)))
        return false;
    *slot = entries;
    return true;
}
RARE void fence_order(uintptr_t element)
{
    for (size_t i = 0; i < release_count; ++i)
        if (releases[i].element == element && releases[i].block != block)
            if (acquired *a = push(acquisitions, acquired_count, acquired_room))
                *a = {(uint32_t)i, thread, now};
    if (fenced[thread])
        if (release *r = push(releases, release_count, release_room))
            *r = {element, block, barrier_at, thread, fenced[thread]};
}
RARE bool fence_orders(record r)
{
    uint64_t of = block_of(r);
    for (size_t i = 0; i < acquired_count; ++i) {
        const acquired &a = acquisitions[i];
        const release &e = releases[a.release];
        if (e.block == of && (a.thread == thread || a.at < barrier_at)
            && (time_of(r) < e.barrier || (thread_of(r) == e.thread && time_of(r) <= e.fence)))
            return true;
    }
    return false;
}

// ---- faults --------------------------------------------------------------------------------------------
RARE fault *report(kind what, uint32_t array, int64_t offset, uint32_t size, side here, side there)
{
    for (uint32_t i = 0; i < fault_count; ++i) {
        fault &f = faults[i];
        if (f.kind == what && f.array == array && f.here.place == here.place && f.there.place == there.place
            && f.here.access == here.access && f.there.access == there.access) {
            ++f.count;
            return f.same ? &f : 0;
        }
    }
    if (fault_count == most_faults)
        return 0;
    fault &f = faults[fault_count++];
    f = fault();
    f.kind = what, f.array = array, f.offset = offset, f.size = size, f.here = here, f.there = there, f.count = 1;
    return &f;
}
side self(access what, uint64_t place) { return {block, place, thread, what}; }

// Stores of the value that is already there are distinguished from others once the stored value is known. If a
// statement stores the same value to one element and a different one to another, the latter is the fault.
struct {
    fault *of, found;
    const void *place;
    uint32_t size;
    char before[16];
} pending;
RARE void settle()
{
    bool same = memcmp(pending.place, pending.before, pending.size) == 0;
    if (!same && pending.of->same) {
        pending.found.count = pending.of->count;
        *pending.of = pending.found;
    }
    pending.of->same = same;
    pending.of = 0;
}
RARE void conflict(const region &r, uintptr_t offset, uint32_t size, access what, uint64_t place, record with, access past)
{
    if (!r.shared && fences && time_of(with) < block_began && fence_orders(with))
        return;
    side there = {block_of(with), place_of(with), thread_of(with), past};
    fault *f = report(race, r.number, (int64_t)offset, size, self(what, place), there);
    if (f && what == writes && past == writes && size <= 16) {
        pending.of = f;
        pending.found = *f;
        pending.found.offset = (int64_t)offset, pending.found.size = size;
        pending.found.here = self(what, place), pending.found.there = there;
        pending.place = (const void *)(r.start + offset);
        pending.size = size;
        memcpy(pending.before, pending.place, size);
    }
}
RARE void leave_now(const char *message)
{
    leave(message, 0);
    abort();
}

// ---- the shadow ----------------------------------------------------------------------------------------
// Whether the current thread's access isn't ordered after the recorded one.
inline bool unordered(record r, uint32_t floor)
{
    uint32_t at = time_of(r);
    if (at < barrier_at)
        return at < block_began && at >= floor;
    uint32_t who = thread_of(r);
    if (who == thread)
        return false;
    return !(warps_met && who >> 5 == thread >> 5 && at < met[thread][who & 31]);
}
template <record cell::*last_one, record further::*far_one, record further::*other_one, uint64_t settled>
inline void remember(cell &c, record r, uint32_t floor)
{
    record &last = c.*last_one;
    if (LIKELY(last == 0 || (time_of(last) >= barrier_at && thread_of(last) == thread) || c.more & settled)) {
        last = r;
        return;
    }
    uint32_t at = time_of(last);
    if (at < floor) {  // of another block, in shared memory
        last = r;
        if (c.more)
            further_of(c.more).*far_one = further_of(c.more).*other_one = 0;
        return;
    }
    if (at >= block_began && at < barrier_at && !c.more) {
        last = r;  // of this block, and ordered before
        return;
    }
    further *more = make_further(c);
    if (!more)
        return;
    record &far = more->*far_one, &other = more->*other_one;
    if (at < block_began) {
        far = last;
        other = 0;
        c.more |= settled;
    } else if (at < barrier_at) {
        if (time_of(far) >= block_began)
            far = 0;
        other = 0;
    } else if (thread_of(last) >> 5 == thread >> 5) {
        other = last;
    } else {
        if (far == 0 || time_of(far) >= block_began)
            far = last;
        other = 0;
    }
    last = r;
}

inline record one_of(record a, record b, uint32_t floor)
{
    return a && unordered(a, floor) ? a : b && unordered(b, floor) ? b : 0;
}

template <access what> inline void touch(region &r, uintptr_t offset, uint32_t size, cell &c, uint64_t place)
{
    const uint32_t floor = r.shared ? block_began : 0;
    const record me = (uint64_t)now << 32 | mine | (place & 0x3fffff);
    if (c.written && unordered(c.written, floor))
        conflict(r, offset, size, what, place, c.written, writes);
    if (what != changes && c.changer)
        if (record with = unordered(c.changer, floor) ? c.changer
                          : c.more ? one_of(further_of(c.more).other_changer, further_of(c.more).far_changer, floor)
                                   : 0)
            conflict(r, offset, size, what, place, with, changes);
    if (what != reads && c.reader)
        if (record with = unordered(c.reader, floor) ? c.reader
                          : c.more ? one_of(further_of(c.more).other_reader, further_of(c.more).far_reader, floor)
                                   : 0)
            conflict(r, offset, size, what, place, with, reads);
    if (what == reads) {
        remember<&cell::reader, &further::far_reader, &further::other_reader, far_reader_settled>(c, me, floor);
    } else if (what == changes) {
        remember<&cell::changer, &further::far_changer, &further::other_changer, far_changer_settled>(c, me, floor);
    } else {
        // an access ordered after this write is ordered after earlier ones, unless those race with the write
        c.written = me;
        c.reader = c.changer = 0;
        if (c.more) {
            c.more &= number_of_further;
            further_of(c.more) = further();
        }
    }
}

RARE void beyond(uintptr_t address, uint32_t size, access what, uint64_t place)
{
    if (address - stacks_low < stacks_size || !leave)
        return;  // a local; or a host function runs
    report(nowhere, no_array, (int64_t)address, size, self(what, place), side());
    leave_now("an access outside of all arrays");
}

// Whether the block has written any of these cells. Several are those of a struct that is copied: nobody
// writes the padding between its fields, and a field that nobody wrote holds NaN, so what uses it shows.
inline bool any_written(const region &r, uintptr_t begin, uintptr_t end)
{
    for (uintptr_t i = begin; i < end; ++i)
        if (time_of(r.cells[i].written) >= block_began || time_of(r.cells[i].changer) >= block_began)
            return true;
    return false;
}

template <access what> inline void within(region &r, uintptr_t address, uint32_t size, uint64_t place)
{
    uintptr_t offset = address - r.start;
    if (__builtin_expect(offset >= r.size || r.size - offset < size, 0)) {
        report(outside, r.number, (int64_t)offset, size, self(what, place), side());
        return;
    }
    if (r.constant) {
        if (what == reads)
            return;
        r.constant = false;  // written through a cast
    }
    if (__builtin_expect(((offset | size) & (r.grain - 1)) != 0, 0)) {
        uint32_t grain = (uint32_t)(offset | size);
        refine(r, grain & -grain);
    }
    if (__builtin_expect(!r.cells && !make_cells(r), 0))
        return;
    const uintptr_t begin = offset >> r.grain_bits, end = (offset + size) >> r.grain_bits;
    if (what == reads && r.shared && __builtin_expect(!any_written(r, begin, end), 0))
        report(unwritten, r.number, (int64_t)offset, size, self(what, place), side());
    for (uintptr_t i = begin; i < end; ++i)
        touch<what>(r, offset, size, r.cells[i], place);
}

template <access what> inline void at(uintptr_t address, uint32_t size, void *caller)
{
    uint64_t place = (uintptr_t)caller - image_low;
    if (__builtin_expect(pending.of != 0, 0))
        settle();
    uintptr_t inside = address - arena;
    if (LIKELY(inside < arena_size)) {
        tell(false, what, size);
        last_place = place;
        within<what>(arrays[inside >> slot_bits], address, size, place);
        if (what == changes && __builtin_expect(fences, 0))
            fence_order(address);
        return;
    }
    last_place = place;
    if (address - fixed_region.start < fixed_room) {
        tell(true, what, size);
        within<what>(fixed_region, address, size, place);
    } else if (address - dynamic_region.start < dynamic_room) {
        tell(true, what, size);
        within<what>(dynamic_region, address, size, place);
    } else if (address - image_low < image_size) {
        within<what>(module_region, address, size, place);
    } else {
        beyond(address, size, what, place);
    }
}

double seconds;
struct sigaction alarm_before;

RARE void too_long(int, siginfo_t *, void *context)
{
    uint64_t place = last_place;
#if defined(__x86_64__) && defined(REG_RIP)
    uintptr_t counter = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] + 1;
#elif defined(__aarch64__)
    uintptr_t counter = (uintptr_t)((ucontext_t *)context)->uc_mcontext.pc + 1;
#else
    uintptr_t counter = 0;
#endif
    side last = {0, counter - image_low < image_size ? counter - image_low : 0, 0, reads};
    report(hang, no_array, 0, 0, self(reads, place), last);
    leave_now("it doesn't end");
}
void set_alarm(double after)
{
    struct itimerval timer = {};
    timer.it_value.tv_sec = (time_t)after;
    timer.it_value.tv_usec = (suseconds_t)((after - (double)(time_t)after) * 1e6);
    setitimer(ITIMER_REAL, &timer, 0);
}
int find_image(struct dl_phdr_info *info, size_t, void *)
{
    uintptr_t low = (uintptr_t)-1, high = 0, here = (uintptr_t)&now;
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = start + info->dlpi_phdr[i].p_memsz;
            low = start < low ? start : low;
            high = end > high ? end : high;
        }
    if (here < low || here >= high)
        return 0;
    image_low = info->dlpi_addr;
    image_size = high - info->dlpi_addr;
    return 1;
}

}  // namespace

// The text's threadIdx and so on.
struct three { uint32_t x, y, z; };
extern "C" {
__attribute__((visibility("hidden"))) three s2sad_threadIdx, s2sad_blockIdx, s2sad_blockDim, s2sad_gridDim;
}

// ---- the engine's side ---------------------------------------------------------------------------------
HIDDEN void s2sad_watch_launch(const unsigned *, void (*how)(const char *, int))
{
    leave = how;
    now = block_began = barrier_at = 1;
    beginning_count = release_count = acquired_count = 0;
    warps_met = fences = false;
    memset(met, 0, sizeof met);
    memset(fenced, 0, sizeof fenced);
    memset(stored, 0, sizeof stored);
    pending.of = 0;
    fault_count = 0;
    done = tally();
    last_place = 0;
    further_count = 1;
    thread = 0;
    mine = block = 0;
    for (uint32_t i = 0; i < array_count; ++i)
        drop_cells(arrays[i]);
    // the text's own variables: treat the library's memory as one array
    drop_cells(module_region);
    module_region = {image_low, image_size, module_array, 8, 3, false, false, 0, 0};
    if (seconds > 0) {
        struct sigaction action = {};
        action.sa_sigaction = too_long;
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigaction(SIGALRM, &action, &alarm_before);
        set_alarm(seconds);
    }
}
HIDDEN void s2sad_watch_end()
{
    if (seconds > 0) {
        set_alarm(0);
        sigaction(SIGALRM, &alarm_before, 0);
    }
    if (pending.of)
        settle();
    leave = 0;
}
HIDDEN void s2sad_watch_shared(char *fixed, size_t fixed_size, char *dynamic, size_t dynamic_size, size_t room)
{
    region *both[2] = {&fixed_region, &dynamic_region};
    for (region *r : both) {
        drop_cells(*r);
        r->shared = true;
        set_grain(*r, 8);
    }
    fixed_room = fixed_size;
    fixed_size -= past_fixed;
    fixed_region.start = (uintptr_t)fixed, fixed_region.size = fixed_size, fixed_region.number = fixed_array;
    dynamic_region.start = (uintptr_t)dynamic, dynamic_region.size = dynamic_size, dynamic_region.number = dynamic_array;
    dynamic_room = room;
}
HIDDEN void s2sad_watch_stacks(char *low, size_t size)
{
    stacks_low = (uintptr_t)low;
    stacks_size = size;
}
HIDDEN void s2sad_watch_block(uint64_t number)
{
    block = number;
    block_began = barrier_at = ++now;
    memset(stored, 0, sizeof stored);
    if (beginning *b = push(beginnings, beginning_count, beginning_room))
        *b = {now, number};
    if (fences)
        memset(fenced, 0, sizeof fenced);
}
HIDDEN void s2sad_watch_thread(unsigned number)
{
    thread = number;
    mine = (uint64_t)number << 22;
}
HIDDEN void s2sad_watch_barrier()
{
    barrier_at = ++now;
    ++done.barriers;
}
// Reports a barrier that opened although threads of the block had returned: its line, the first waiting thread,
// the number of returned threads and the first of them. Reported once per line and launch.
HIDDEN void s2sad_watch_missed(int line, unsigned waiting, unsigned returned, unsigned first)
{
    const side here = {block, 0, waiting, reads}, there = {block, (uint64_t)line, first, reads};
    if (fault *f = report(missed, no_array, line, returned, here, there))
        f->line = (uint32_t)line;
}
HIDDEN void s2sad_watch_warp(unsigned first, unsigned lanes)
{
    warps_met = true;
    ++now;
    // each lane is now ordered after all lanes here, and after all that one of them was ordered after
    uint32_t all[32] = {};
    for (unsigned l = 0; l < 32; ++l)
        if (lanes >> l & 1)
            for (unsigned k = 0; k < 32; ++k)
                all[k] = all[k] > met[first + l][k] ? all[k] : met[first + l][k];
    for (unsigned k = 0; k < 32; ++k)
        if (lanes >> k & 1)
            all[k] = now;
    for (unsigned l = 0; l < 32; ++l)
        if (lanes >> l & 1)
            memcpy(met[first + l], all, sizeof all);
}
HIDDEN void s2sad_watch_fence()
{
    fences = true;
    fenced[thread] = now;
}
HIDDEN void s2sad_seen(unsigned what, const volatile void *p, size_t size, void *place)
{
    switch (what) {
    case reads: at<reads>((uintptr_t)p, (uint32_t)size, place); break;
    case writes: at<writes>((uintptr_t)p, (uint32_t)size, place); break;
    default: at<changes>((uintptr_t)p, (uint32_t)size, place);
    }
}

// ---- the caller's side ---------------------------------------------------------------------------------
// Allocates memory for `count` arrays, each in a slot of 2^bits bytes: far enough apart that an access past the
// end of one isn't in another.
EXPORT void *s2sad_watch_arena(uint32_t count, uint32_t bits)
{
    if (arena)
        munmap((void *)arena, arena_size);
    for (uint32_t i = 0; i < array_count; ++i)
        drop_cells(arrays[i]);
    free(arrays);
    arena = arena_size = array_count = 0;
    arrays = (region *)calloc(count + 1, sizeof(region));
    void *memory = 0;
    if (count) {
        memory = mmap(0, (size_t)count << bits, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return 0;
    }
    if (!arrays)
        return 0;
    dl_iterate_phdr(find_image, 0);
    array_count = count;
    slot_bits = bits;
    arena = (uintptr_t)memory;
    arena_size = (uintptr_t)count << bits;
    return memory ? memory : (void *)arrays;
}
EXPORT void s2sad_watch_array(uint32_t number, char *start, size_t size, uint32_t grain, uint32_t constant)
{
    arrays[number] = {(uintptr_t)start, size, number, grain, (uint32_t)__builtin_ctz(grain), false, constant != 0, 0, 0};
}
EXPORT void s2sad_watch_limit(double most) { seconds = most; }
EXPORT uint32_t s2sad_watch_faults(const fault **list)
{
    *list = faults;
    return fault_count;
}
// Returns the last write or atomic update of these bytes of an argument in the last launch; 0 if there is none.
// A store clears earlier updates, so a recorded update came after it.
EXPORT uint32_t s2sad_watch_last(uint32_t number, uint64_t offset, uint32_t size, side *who)
{
    const region &r = arrays[number];
    record last = 0;
    uint32_t what = writes;
    for (uint64_t i = offset >> r.grain_bits; r.cells && i << r.grain_bits < offset + size; ++i) {
        const cell &c = r.cells[i];
        const record here = c.changer ? c.changer : c.written;
        if (here && (!last || time_of(here) >= time_of(last))) {
            last = here;
            what = c.changer ? changes : writes;
        }
    }
    *who = last ? side{block_of(last), place_of(last), thread_of(last), what} : side();
    return last != 0;
}
EXPORT void s2sad_watch_tally(tally *to) { *to = done; }
EXPORT uint64_t s2sad_watch_fixed() { return fixed_region.start - image_low; }

// ---- functions called by the compiler ------------------------------------------------------------------
#define CALLER __builtin_return_address(0)
#define SIZE(n)                                                                                         \
    HIDDEN void __tsan_read##n(void *p) { at<reads>((uintptr_t)p, n, CALLER); }                         \
    HIDDEN void __tsan_write##n(void *p) { at<writes>((uintptr_t)p, n, CALLER); }                       \
    HIDDEN void __tsan_unaligned_read##n(void *p) { at<reads>((uintptr_t)p, n, CALLER); }               \
    HIDDEN void __tsan_unaligned_write##n(void *p) { at<writes>((uintptr_t)p, n, CALLER); }             \
    HIDDEN void __tsan_volatile_read##n(void *p) { at<reads>((uintptr_t)p, n, CALLER); }                \
    HIDDEN void __tsan_volatile_write##n(void *p) { at<writes>((uintptr_t)p, n, CALLER); }
SIZE(1) SIZE(2) SIZE(4) SIZE(8) SIZE(16)
HIDDEN void __tsan_read_range(void *p, size_t n) { at<reads>((uintptr_t)p, (uint32_t)n, CALLER); }
HIDDEN void __tsan_write_range(void *p, size_t n) { at<writes>((uintptr_t)p, (uint32_t)n, CALLER); }
HIDDEN void __tsan_func_entry(void *) {}
HIDDEN void __tsan_func_exit() {}
HIDDEN void __tsan_init() {}
HIDDEN void __tsan_vptr_update(void **, void *) {}
HIDDEN void __tsan_vptr_read(void **) {}
HIDDEN void *__tsan_memcpy(void *to, const void *from, size_t n)
{
    at<reads>((uintptr_t)from, (uint32_t)n, CALLER);
    at<writes>((uintptr_t)to, (uint32_t)n, CALLER);
    return memcpy(to, from, n);
}
HIDDEN void *__tsan_memmove(void *to, const void *from, size_t n)
{
    at<reads>((uintptr_t)from, (uint32_t)n, CALLER);
    at<writes>((uintptr_t)to, (uint32_t)n, CALLER);
    return memmove(to, from, n);
}
HIDDEN void *__tsan_memset(void *to, int value, size_t n)
{
    at<writes>((uintptr_t)to, (uint32_t)n, CALLER);
    return memset(to, value, n);
}

// Checks that pass their own lines: arrays of known length, divisions, alignment and missing returns.
struct source_line { const char *file; uint32_t line, column; };
struct type_name { uint16_t kind, info; char text[1]; };
struct indexed { source_line where; const type_name *array, *index; };
struct accessed { source_line where; const type_name *type; uint8_t alignment, access; };
struct operated { source_line where; const type_name *type; };

RARE void found(kind what, const source_line &where, const char *text, int64_t value, void *caller)
{
    fault *f = report(what, no_array, value, 0, self(reads, (uintptr_t)caller - image_low), side());
    if (f) {
        f->line = where.line;
        strncpy(f->text, text, sizeof f->text - 1);
    }
    leave_now(text);
}
HIDDEN void __ubsan_handle_out_of_bounds(indexed *data, uintptr_t value)
{
    unsigned bits = 1u << (data->index->info >> 1);
    int64_t at = bits < 64 && data->index->info & 1 ? (int64_t)(value << (64 - bits)) >> (64 - bits) : (int64_t)value;
    found(past_end, data->where, data->array->text, at, CALLER);
}
HIDDEN void __ubsan_handle_divrem_overflow(operated *data, uintptr_t, uintptr_t divisor)
{
    found(division, data->where, data->type->text, (int64_t)divisor, CALLER);
}
HIDDEN void __ubsan_handle_type_mismatch_v1(accessed *data, uintptr_t address)
{
    const uintptr_t inside = address - arena;
    const region *r = inside < arena_size ? &arrays[inside >> slot_bits] : 0;
    fault *f = report(misaligned, r ? r->number : no_array, r ? (int64_t)(address - r->start) : 0, 1u << data->alignment,
                      self(data->access == 1 ? writes : reads, (uintptr_t)CALLER - image_low), side());
    if (f)
        f->line = data->where.line;
    leave_now("an address of the wrong alignment");
}
HIDDEN void __ubsan_handle_missing_return(source_line *where)
{
    found(missing_return, *where, "", 0, CALLER);
}
