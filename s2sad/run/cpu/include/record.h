// The functions that a recorded text calls: they write down what one thread of a launch executes (recording.py).
//
// An event is a statement that begins, the outcome of a condition, or a value that is read or written. A mark
// in a constant-evaluated context records nothing. Values are returned unchanged, as the same kind of
// expression, so the text computes what it would compute without marks.
#pragma once

#ifdef S2SAD_RECORDED
#include <stdlib.h>

namespace cuda_on_cpu {

enum s2sad_what : uint8_t {
    S2SAD_HIT, S2SAD_SIDE, S2SAD_TRIP, S2SAD_ENTER, S2SAD_LEAVE, S2SAD_INDEX, S2SAD_READ, S2SAD_BEFORE,
    S2SAD_AFTER, S2SAD_VALUE
};
enum s2sad_form : uint8_t {
    S2SAD_NOTHING, S2SAD_TRUTH, S2SAD_SIGNED, S2SAD_UNSIGNED, S2SAD_REAL_NUMBER, S2SAD_ADDRESS, S2SAD_BYTES
};
struct s2sad_event {
    uint32_t id;
    uint8_t what, form;
    uint16_t depth;       // calls of the text's own functions around it
    uint64_t address;
    uint64_t bits;        // the value; of S2SAD_BYTES its place in s2sad_bytes
    uint32_t size, detail;
    const char *type;     // the compiler's name of the type, of S2SAD_BYTES
};

static struct { unsigned block[3], thread[3]; } s2sad_traced;
// The first events of a launch fill the first half, then the last ones the other half, again and again.
static constexpr size_t s2sad_event_room = 1 << 16, s2sad_byte_room = 1 << 22;
static s2sad_event *s2sad_events;
static unsigned char *s2sad_bytes;
static size_t s2sad_event_count, s2sad_byte_count;
static unsigned s2sad_depth;

__attribute__((noinline, unused)) static bool s2sad_is_traced()
{
    return threadIdx.x == s2sad_traced.thread[0] && threadIdx.y == s2sad_traced.thread[1] &&
           threadIdx.z == s2sad_traced.thread[2] && blockIdx.x == s2sad_traced.block[0] &&
           blockIdx.y == s2sad_traced.block[1] && blockIdx.z == s2sad_traced.block[2];
}
__attribute__((noinline, unused)) static s2sad_event *s2sad_new_event(unsigned id, s2sad_what what)
{
    const size_t half = s2sad_event_room / 2, number = s2sad_event_count++;
    s2sad_event *event = &s2sad_events[number < half ? number : half + (number - half) % half];
    *event = {id, (uint8_t)what, S2SAD_NOTHING, (uint16_t)s2sad_depth, 0, 0, 0, 0, 0};
    return event;
}

template <class T> constexpr bool s2sad_narrow_real = false;
#ifdef S2SAD_HALF
template <> inline constexpr bool s2sad_narrow_real<__half> = true;
template <> inline constexpr bool s2sad_narrow_real<__nv_bfloat16> = true;
#endif
template <class T> constexpr bool s2sad_is_pointer = false;
template <class T> constexpr bool s2sad_is_pointer<T *> = true;
template <class T> constexpr bool s2sad_is_pointer<T *__restrict__> = true;
template <class T> static const char *s2sad_type_name() { return __PRETTY_FUNCTION__; }
static constexpr size_t s2sad_largest = 512;  // bytes of an object that is recorded

template <class T> static void s2sad_put_bytes(s2sad_event *event, const volatile void *from, size_t size)
{
    if (size > s2sad_largest || s2sad_byte_count + size > s2sad_byte_room)
        return;
    memcpy(s2sad_bytes + s2sad_byte_count, (const void *)from, size);
    event->form = S2SAD_BYTES;
    event->size = (uint32_t)size;
    event->bits = s2sad_byte_count;
    event->type = s2sad_type_name<T>();
    s2sad_byte_count += size;
}
template <class T> static void s2sad_put(unsigned id, s2sad_what what, const volatile T &value)
{
    s2sad_event *event = s2sad_new_event(id, what);
    event->address = (uint64_t)(uintptr_t)__builtin_addressof(value);
    if constexpr (s2sad_same<T, bool>) {
        event->form = S2SAD_TRUTH;
        event->bits = value;
    } else if constexpr (s2sad_integer<T> || __is_enum(T)) {
        event->form = (T)-1 < (T)0 ? S2SAD_SIGNED : S2SAD_UNSIGNED;
        event->bits = (uint64_t)(long long)value;
    } else if constexpr (s2sad_floating<T> || s2sad_narrow_real<T>) {
        double number = (double)const_cast<const T &>(value);
        event->form = S2SAD_REAL_NUMBER;
        memcpy(&event->bits, &number, sizeof number);
    } else if constexpr (s2sad_is_pointer<T>) {
        event->form = S2SAD_ADDRESS;
        event->bits = (uint64_t)(uintptr_t)value;
    } else {
        s2sad_put_bytes<T>(event, __builtin_addressof(value), sizeof(T));
        return;
    }
    event->size = sizeof(T);
}
template <class T, size_t N> static void s2sad_put(unsigned id, s2sad_what what, const volatile T (&value)[N])
{
    s2sad_event *event = s2sad_new_event(id, what);
    event->address = (uint64_t)(uintptr_t)value;
    s2sad_put_bytes<T[N]>(event, value, sizeof value);
}
template <class T> static void s2sad_put(unsigned id, s2sad_what what, const volatile T (&value)[])
{
    s2sad_event *event = s2sad_new_event(id, what);  // extern __shared__: the launch gives the extent
    event->form = S2SAD_ADDRESS;
    event->address = event->bits = (uint64_t)(uintptr_t)value;
}

// ---- what is written: its value is recorded when the statement has ended --------------------------------
struct s2sad_written {
    unsigned id, depth;
    const volatile void *place;
    void (*put)(unsigned id, const volatile void *place);
};
static s2sad_written s2sad_pending[64];
static unsigned s2sad_pending_count;
template <class T> static void s2sad_put_after(unsigned id, const volatile void *place)
{
    s2sad_put(id, S2SAD_AFTER, *(const volatile T *)place);
}
__attribute__((noinline, unused)) static void s2sad_end_statement()
{
    unsigned first = s2sad_pending_count;
    while (first > 0 && s2sad_pending[first - 1].depth >= s2sad_depth)
        --first;
    for (unsigned i = first; i < s2sad_pending_count; ++i)
        s2sad_pending[i].put(s2sad_pending[i].id, s2sad_pending[i].place);
    s2sad_pending_count = first;
}
template <class T> static void s2sad_begin_write(unsigned id, T &place)
{
    s2sad_put(id, S2SAD_BEFORE, place);
    if (s2sad_pending_count < sizeof s2sad_pending / sizeof *s2sad_pending)
        s2sad_pending[s2sad_pending_count++] = {
            id, s2sad_depth, __builtin_addressof(place), s2sad_put_after<T>};
}

// ---- marks ---------------------------------------------------------------------------------------------
__attribute__((noinline, unused)) static void s2sad_tell(unsigned id, s2sad_what what, unsigned detail, unsigned bits)
{
    s2sad_end_statement();
    s2sad_event *event = s2sad_new_event(id, what);
    event->detail = detail;
    event->bits = bits;
}
#define S2SAD_MARKS constexpr inline __attribute__((unused))
#define S2SAD_IF_TRACED if (!__builtin_is_constant_evaluated() && s2sad_is_traced())
S2SAD_MARKS void s2sad_hit(unsigned point) { S2SAD_IF_TRACED s2sad_tell(point, S2SAD_HIT, 0, 0); }
S2SAD_MARKS void s2sad_done() { S2SAD_IF_TRACED s2sad_end_statement(); }
template <unsigned Point, bool> S2SAD_MARKS bool s2sad_side(bool yes)
{
    S2SAD_IF_TRACED s2sad_tell(Point, S2SAD_SIDE, 0, yes);
    return yes;
}
template <unsigned> S2SAD_MARKS void s2sad_fixed() {}
template <unsigned Point, bool> S2SAD_MARKS bool s2sad_trip(unsigned trips, bool again)
{
    S2SAD_IF_TRACED s2sad_tell(Point, S2SAD_TRIP, trips, again);
    return again;
}
template <unsigned Point, bool> S2SAD_MARKS bool s2sad_again(unsigned trips, bool again)
{
    S2SAD_IF_TRACED s2sad_tell(Point, S2SAD_TRIP, trips + 1, again);
    return again;
}
struct s2sad_frame {
    unsigned function;
    bool traced;
    s2sad_frame(unsigned number) : function(number), traced(s2sad_is_traced())
    {
        if (traced) {
            ++s2sad_depth;
            s2sad_tell(function, S2SAD_ENTER, 0, 0);
        }
    }
    ~s2sad_frame()
    {
        if (traced) {
            s2sad_tell(function, S2SAD_LEAVE, 0, 0);
            --s2sad_depth;
        }
    }
};

// ---- values --------------------------------------------------------------------------------------------
template <class T> S2SAD_MARKS T &&s2sad_index(unsigned id, unsigned which, T &&value)
{
    S2SAD_IF_TRACED {
        s2sad_event *event = s2sad_new_event(id, S2SAD_INDEX);
        event->detail = which;
        event->bits = (uint64_t)(long long)value;
    }
    return (T &&)value;
}
template <class T> S2SAD_MARKS T &&s2sad_see(unsigned id, T &&value)
{
    S2SAD_IF_TRACED s2sad_put(id, S2SAD_READ, value);
    return (T &&)value;
}
template <class T> S2SAD_MARKS T &&s2sad_value(unsigned id, T &&value)
{
    S2SAD_IF_TRACED s2sad_put(id, S2SAD_VALUE, value);
    return (T &&)value;
}
template <class T> S2SAD_MARKS T &s2sad_to(unsigned id, T &place)
{
    S2SAD_IF_TRACED s2sad_begin_write(id, place);
    return place;
}
template <class T> S2SAD_MARKS T &&s2sad_to(unsigned, T &&place) { return (T &&)place; }
template <class T> S2SAD_MARKS void s2sad_holds(unsigned id, T &place)
{
    S2SAD_IF_TRACED s2sad_put(id, S2SAD_AFTER, place);
}

// ---- the caller's side ---------------------------------------------------------------------------------
extern "C" __attribute__((visibility("default"), unused)) int s2sad_record_thread(const unsigned *where)
{
    memcpy(&s2sad_traced, where, sizeof s2sad_traced);
    if (!s2sad_events)
        s2sad_events = (s2sad_event *)calloc(s2sad_event_room, sizeof *s2sad_events);
    if (!s2sad_bytes)
        s2sad_bytes = (unsigned char *)malloc(s2sad_byte_room);
    s2sad_event_count = s2sad_byte_count = 0;
    s2sad_pending_count = s2sad_depth = 0;
    return s2sad_events && s2sad_bytes;
}
// Return the number of events; those that are kept are in the room's two halves.
extern "C" __attribute__((visibility("default"), unused)) uint64_t s2sad_recorded(
    const void **events, uint64_t *room, const void **bytes, uint64_t *byte_count)
{
    *events = s2sad_events;
    *room = s2sad_event_room;
    *bytes = s2sad_bytes;
    *byte_count = s2sad_byte_count;
    return s2sad_event_count;
}

}  // namespace cuda_on_cpu
#endif
