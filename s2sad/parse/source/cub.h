// Reductions of a block and of a warp, called as in cub.
namespace cub {

struct Sum { template <class T> T operator()(const T &a, const T &b) const { return a + b; } };
struct Max { template <class T> T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
struct Min { template <class T> T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING, BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_WARP_REDUCTIONS };

// The result is for the first thread, as there; the storage may be used again after a barrier. Numbers of whole
// warps are exchanged as there, so that what is counted is what a GPU executes.
template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1> class BlockReduce {
public:
    struct TempStorage { T v[X * Y * Z]; };
    explicit BlockReduce(TempStorage &storage) : storage(storage) {}
    template <class Operation> T Reduce(T x, Operation operation)
    {
        return all(x, operation, kind<A == BLOCK_REDUCE_WARP_REDUCTIONS && X * Y * Z % 32 == 0 && !__is_class(T)>());
    }
    template <class Operation> T Reduce(T x, Operation operation, int valid)
    {
        const int own = rank();
        storage.v[own] = x;
        __syncthreads();
        if (own == 0)
            for (int i = 1; i < valid; ++i)
                x = operation(x, storage.v[i]);
        return x;
    }
    T Sum(T x) { return Reduce(x, cub::Sum()); }
    T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }

private:
    template <bool by_warps> struct kind {};
    static int rank() { return (threadIdx.z * Y + threadIdx.y) * X + threadIdx.x; }
    template <class Operation> T all(T x, Operation operation, kind<false>)
    {
        return Reduce(x, operation, X * Y * Z);
    }
    template <class Operation> T all(T x, Operation operation, kind<true>)
    {
        const int own = rank();
        for (int d = 16; d > 0; d /= 2)
            x = operation(x, __shfl_xor_sync(0xffffffffu, x, d));
        if (own % 32 == 0)
            storage.v[own / 32] = x;
        __syncthreads();
        if (own == 0)
            for (int warp = 1; warp < X * Y * Z / 32; ++warp)
                x = operation(x, storage.v[warp]);
        return x;
    }

    TempStorage &storage;
};

template <class T, int N = 32> class WarpReduce {
public:
    struct TempStorage { char nothing; };
    explicit WarpReduce(TempStorage &) {}
    template <class Operation> T Reduce(T x, Operation operation)
    {
        for (int d = N / 2; d > 0; d /= 2)
            x = operation(x, __shfl_xor_sync(0xffffffffu, x, d, N));
        return x;
    }
    T Sum(T x) { return Reduce(x, cub::Sum()); }
};

}  // namespace cub
