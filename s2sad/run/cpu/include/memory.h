// Cache-hinted accesses, atomics, fences and other machine operations. Threads take turns, so an atomic is a read and a write.
#pragma once

namespace cuda_on_cpu {

#define S2SAD_LOAD(name) template <class T> S2SAD_APART T name(const T *p) { S2SAD_SEEN(read, p); return *p; }
S2SAD_LOAD(__ldg) S2SAD_LOAD(__ldca) S2SAD_LOAD(__ldcg) S2SAD_LOAD(__ldcs) S2SAD_LOAD(__ldcv) S2SAD_LOAD(__ldlu)
#undef S2SAD_LOAD
template <class T> struct s2sad_type { typedef T itself; };  // keeps an argument from deducing T
#define S2SAD_STORE(name) \
    template <class T> S2SAD_APART void name(T *p, typename s2sad_type<T>::itself v) { S2SAD_SEEN(write, p); *p = v; }
S2SAD_STORE(__stwb) S2SAD_STORE(__stcg) S2SAD_STORE(__stcs) S2SAD_STORE(__stwt)
#undef S2SAD_STORE

#define S2SAD_ATOMIC_SCOPE(T, name, change)                                             \
    S2SAD_APART T name(T *p, T v) { S2SAD_SEEN(atomic, p); T old = *p; (void)v; *p = change; return old; }
#define S2SAD_ATOMIC(T, name, change)             \
    S2SAD_ATOMIC_SCOPE(T, name, change)           \
    S2SAD_ATOMIC_SCOPE(T, name##_block, change)   \
    S2SAD_ATOMIC_SCOPE(T, name##_system, change)
#define S2SAD_ATOMICS(T)                          \
    S2SAD_ATOMIC(T, atomicAdd, old + v)           \
    S2SAD_ATOMIC(T, atomicExch, v)
S2SAD_ATOMICS(float) S2SAD_ATOMICS(double)
#ifdef S2SAD_DUAL_NUMBERS
S2SAD_ATOMICS(s2sad_real)
#endif
#ifdef S2SAD_HALF
S2SAD_ATOMIC(__half, atomicAdd, old + v)
S2SAD_ATOMIC(__nv_bfloat16, atomicAdd, old + v)
S2SAD_ATOMIC(__half2, atomicAdd, old + v)
S2SAD_ATOMIC(__nv_bfloat162, atomicAdd, old + v)
#endif
#define S2SAD_INTEGER_ATOMICS(T)                  \
    S2SAD_ATOMICS(T)                              \
    S2SAD_ATOMIC(T, atomicSub, old - v)           \
    S2SAD_ATOMIC(T, atomicMin, v < old ? v : old) \
    S2SAD_ATOMIC(T, atomicMax, old < v ? v : old) \
    S2SAD_ATOMIC(T, atomicAnd, old & v)           \
    S2SAD_ATOMIC(T, atomicOr, old | v)            \
    S2SAD_ATOMIC(T, atomicXor, old ^ v)
S2SAD_INTEGER_ATOMICS(int) S2SAD_INTEGER_ATOMICS(unsigned) S2SAD_INTEGER_ATOMICS(long long)
S2SAD_INTEGER_ATOMICS(unsigned long long)
S2SAD_ATOMIC(unsigned, atomicInc, old >= v ? 0 : old + 1)
S2SAD_ATOMIC(unsigned, atomicDec, old == 0 || old > v ? v : old - 1)
#undef S2SAD_INTEGER_ATOMICS
#undef S2SAD_ATOMICS
#undef S2SAD_ATOMIC
#undef S2SAD_ATOMIC_SCOPE
#define S2SAD_SWAP(T, name) \
    S2SAD_APART T name(T *p, T compare, T v)                                    \
    {                                                                           \
        S2SAD_SEEN(atomic, p);                                                  \
        T old = *p;                                                             \
        *p = old == compare ? v : old;                                          \
        return old;                                                             \
    }
#define S2SAD_SWAPS(T) S2SAD_SWAP(T, atomicCAS) S2SAD_SWAP(T, atomicCAS_block) S2SAD_SWAP(T, atomicCAS_system)
S2SAD_SWAPS(int) S2SAD_SWAPS(unsigned) S2SAD_SWAPS(unsigned long long) S2SAD_SWAPS(unsigned short)
#undef S2SAD_SWAPS
#undef S2SAD_SWAP

S2SAD_INLINE void __threadfence() { s2sad_watch_fence(); }
S2SAD_INLINE void __threadfence_block() {}
S2SAD_INLINE void __threadfence_system() { s2sad_watch_fence(); }
S2SAD_INLINE void __threadfence_cluster() {}
S2SAD_INLINE unsigned __clusterDimIsSpecified() { return 0; }
S2SAD_INLINE unsigned __clusterRelativeBlockRank() { return 0; }
S2SAD_INLINE unsigned __clusterSizeInBlocks() { return 1; }
S2SAD_INLINE void __nanosleep(unsigned) {}
S2SAD_INLINE void __prof_trigger(int) {}
S2SAD_INLINE void __brkpt() {}
S2SAD_INLINE void __trap(int line = __builtin_LINE()) { s2sad_fail("the kernel called __trap()", line); }
typedef long clock_t;
static long long s2sad_clock;
S2SAD_APART long long clock64() { return ++s2sad_clock; }
S2SAD_APART clock_t clock() { return (clock_t)++s2sad_clock; }

}  // namespace cuda_on_cpu
