// Warp functions: shuffles, votes, matches and reductions, each a rendezvous of the lanes of its mask.
#pragma once

namespace cuda_on_cpu {

enum s2sad_operation : unsigned char {
    S2SAD_SYNC, S2SAD_SHFL, S2SAD_SHFL_UP, S2SAD_SHFL_DOWN, S2SAD_SHFL_XOR, S2SAD_ALL, S2SAD_ANY, S2SAD_UNI,
    S2SAD_BALLOT, S2SAD_MATCH_ANY, S2SAD_MATCH_ALL, S2SAD_ADD, S2SAD_MIN, S2SAD_MAX, S2SAD_AND, S2SAD_OR, S2SAD_XOR,
};

S2SAD_INLINE unsigned s2sad_lane() { return s2sad_current % 32; }

// Offers a value and waits for the other lanes. Returns their values, which are valid for the lanes in
// `participants`.
S2SAD_UNSEEN __attribute__((noinline)) static const uint64_t *s2sad_meet(s2sad_operation operation, unsigned mask, uint64_t value,
                                                            int line, unsigned *participants)
{
    s2sad_thread &self = s2sad_self();
    if (!(mask >> s2sad_lane() & 1))
        s2sad_fail("the mask of a warp operation lacks the lane that executes it", line);
    self.state = S2SAD_AT_WARP;
    self.operation = operation;
    self.mask = mask;
    self.value = value;
    self.line = line;
    s2sad_wait();
    *participants = s2sad_self().participants;
    return s2sad_offered + s2sad_current / 32 * 32;
}
template <class T> S2SAD_INLINE uint64_t s2sad_pack(T value)
{
    static_assert(sizeof(T) <= 8, "at most eight bytes");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> S2SAD_INLINE T s2sad_unpack(uint64_t bits)
{
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

S2SAD_APART void __syncwarp(unsigned mask = 0xffffffffu, int line = __builtin_LINE())
{
    unsigned who;
    s2sad_meet(S2SAD_SYNC, mask, 0, line, &who);
}

// ---- shuffles ------------------------------------------------------------------------------------------
// A lane that doesn't take part has no value: reading it gives all bits set, which is NaN.
template <class T>
S2SAD_APART T s2sad_shuffle(s2sad_operation operation, unsigned mask, T value, int argument, int width, int line)
{
    unsigned who, lane = s2sad_lane();
    const uint64_t *values = s2sad_meet(operation, mask, s2sad_pack(value), line, &who);
    int w = width > 0 && width <= 32 ? width : 32, first = (int)lane / w * w, source;
    switch (operation) {
    case S2SAD_SHFL: source = first + (argument & (w - 1)); break;
    case S2SAD_SHFL_UP: source = (int)lane - argument < first ? (int)lane : (int)lane - argument; break;
    case S2SAD_SHFL_DOWN: source = (int)lane + argument >= first + w ? (int)lane : (int)lane + argument; break;
    default: source = ((int)lane ^ argument) >= first + w ? (int)lane : (int)lane ^ argument;
    }
    return s2sad_unpack<T>(source >= 0 && source < 32 && who >> source & 1 ? values[source] : ~(uint64_t)0);
}
#ifdef S2SAD_DUAL_NUMBERS
#define S2SAD_SHUFFLED(T)                                                                                       \
    S2SAD_APART T s2sad_shuffle(s2sad_operation operation, unsigned mask, T value, int argument, int width,     \
                                int line)                                                                       \
    {                                                                                                           \
        auto v = s2sad_shuffle(operation, mask, value.v, argument, width, line);                                \
        return {v, s2sad_shuffle(operation, mask, value.d, argument, width, line)};                             \
    }
S2SAD_SHUFFLED(s2sad_dual)
#ifdef S2SAD_HYPER_DUAL
S2SAD_SHUFFLED(s2sad_hyper)
#endif
#undef S2SAD_SHUFFLED
#endif
#ifdef S2SAD_HALF
template <class As>
S2SAD_APART s2sad_narrow<As> s2sad_shuffle(s2sad_operation operation, unsigned mask, s2sad_narrow<As> value,
                                           int argument, int width, int line)
{
    return s2sad_shuffle(operation, mask, (s2sad_real)value, argument, width, line);
}
template <class H>
S2SAD_APART s2sad_pair<H> s2sad_shuffle(s2sad_operation operation, unsigned mask, s2sad_pair<H> value, int argument,
                                        int width, int line)
{
    H x = s2sad_shuffle(operation, mask, value.x, argument, width, line);
    return {x, s2sad_shuffle(operation, mask, value.y, argument, width, line)};
}
#endif
#define S2SAD_SHUFFLE(name, operation, A)                                                                       \
    template <class T>                                                                                          \
    S2SAD_APART T name##_sync(unsigned mask, T v, A argument, int width = 32, int line = __builtin_LINE())     \
    {                                                                                                           \
        return s2sad_shuffle(operation, mask, v, (int)argument, width, line);                                   \
    }                                                                                                           \
    template <class T> S2SAD_APART T name(T v, A argument, int width = 32, int line = __builtin_LINE())        \
    {                                                                                                           \
        return s2sad_shuffle(operation, 0xffffffffu, v, (int)argument, width, line);                            \
    }
S2SAD_SHUFFLE(__shfl, S2SAD_SHFL, int)
S2SAD_SHUFFLE(__shfl_up, S2SAD_SHFL_UP, unsigned)
S2SAD_SHUFFLE(__shfl_down, S2SAD_SHFL_DOWN, unsigned)
S2SAD_SHUFFLE(__shfl_xor, S2SAD_SHFL_XOR, int)
#undef S2SAD_SHUFFLE

// ---- votes ---------------------------------------------------------------------------------------------
S2SAD_APART unsigned s2sad_vote(s2sad_operation operation, unsigned mask, int predicate, int line, unsigned *who)
{
    const uint64_t *values = s2sad_meet(operation, mask, predicate != 0, line, who);
    unsigned ballot = 0;
    for (unsigned l = 0; l < 32; ++l)
        if (*who >> l & 1)
            ballot |= (unsigned)(values[l] & 1) << l;
    return ballot;
}
#define S2SAD_VOTE(R, name, operation, result)                                                \
    S2SAD_APART R name##_sync(unsigned mask, int predicate, int line = __builtin_LINE())     \
    {                                                                                         \
        unsigned who, ballot = s2sad_vote(operation, mask, predicate, line, &who);            \
        return result;                                                                        \
    }                                                                                         \
    S2SAD_APART R name(int predicate, int line = __builtin_LINE())                           \
    {                                                                                         \
        return name##_sync(0xffffffffu, predicate, line);                                     \
    }
S2SAD_VOTE(int, __all, S2SAD_ALL, ballot == who)
S2SAD_VOTE(int, __any, S2SAD_ANY, ballot != 0)
S2SAD_VOTE(int, __uni, S2SAD_UNI, ballot == who || ballot == 0)
S2SAD_VOTE(unsigned, __ballot, S2SAD_BALLOT, ballot)
#undef S2SAD_VOTE
// The active lanes of the warp: here those that haven't returned.
S2SAD_APART unsigned __activemask()
{
    unsigned first = s2sad_current / 32 * 32, alive = 0;
    for (unsigned l = 0; l < 32 && first + l < s2sad_size_of_block; ++l)
        alive |= (unsigned)(s2sad_threads[first + l].state != S2SAD_RETURNED) << l;
    return alive;
}

// ---- matches and reductions ----------------------------------------------------------------------------
template <class T> S2SAD_APART unsigned __match_any_sync(unsigned mask, T value, int line = __builtin_LINE())
{
    unsigned who, same = 0;
    const uint64_t mine = s2sad_pack(value), *values = s2sad_meet(S2SAD_MATCH_ANY, mask, mine, line, &who);
    for (unsigned l = 0; l < 32; ++l)
        if (who >> l & 1 && values[l] == mine)
            same |= 1u << l;
    return same;
}
template <class T>
S2SAD_APART unsigned __match_all_sync(unsigned mask, T value, int *all, int line = __builtin_LINE())
{
    unsigned who;
    const uint64_t mine = s2sad_pack(value), *values = s2sad_meet(S2SAD_MATCH_ALL, mask, mine, line, &who);
    *all = 1;
    for (unsigned l = 0; l < 32; ++l)
        if (who >> l & 1 && values[l] != mine)
            *all = 0;
    return *all ? mask : 0;
}
#define S2SAD_REDUCE(T, name, operation, change)                                              \
    S2SAD_APART T name(unsigned mask, T value, int line = __builtin_LINE())                  \
    {                                                                                         \
        unsigned who;                                                                         \
        const uint64_t *values = s2sad_meet(operation, mask, s2sad_pack(value), line, &who);  \
        bool first = true;                                                                    \
        T a = 0;                                                                              \
        for (unsigned l = 0; l < 32; ++l)                                                     \
            if (who >> l & 1) {                                                               \
                T b = s2sad_unpack<T>(values[l]);                                             \
                a = first ? b : (T)(change);                                                  \
                first = false;                                                                \
            }                                                                                 \
        return a;                                                                             \
    }
#define S2SAD_REDUCTIONS(T)                                                                   \
    S2SAD_REDUCE(T, __reduce_add_sync, S2SAD_ADD, (unsigned)a + (unsigned)b)                  \
    S2SAD_REDUCE(T, __reduce_min_sync, S2SAD_MIN, b < a ? b : a)                              \
    S2SAD_REDUCE(T, __reduce_max_sync, S2SAD_MAX, a < b ? b : a)
S2SAD_REDUCTIONS(int)
S2SAD_REDUCTIONS(unsigned)
S2SAD_REDUCE(unsigned, __reduce_and_sync, S2SAD_AND, a & b)
S2SAD_REDUCE(unsigned, __reduce_or_sync, S2SAD_OR, a | b)
S2SAD_REDUCE(unsigned, __reduce_xor_sync, S2SAD_XOR, a ^ b)
#undef S2SAD_REDUCTIONS
#undef S2SAD_REDUCE

}  // namespace cuda_on_cpu
