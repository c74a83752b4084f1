// Reductions of a block field by field, or over its first threads alone; the result is for the first.
namespace s2sad_reductions {

template <class T> struct sum { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct larger { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct smaller { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };

template <int threads, class T, class Operation>
__device__ T of_block(T v, Operation operation, unsigned rank, int valid)
{
    __shared__ T parts[threads];
    parts[rank] = v;
    __syncthreads();
    T all = v;
    if (rank == 0)
        for (int k = 1; k < valid; ++k)
            all = operation(all, parts[k]);
    return all;
}

}  // namespace s2sad_reductions
