// Cooperative groups of a block and of tiles of a warp, by barriers and warp functions.
namespace cooperative_groups {

struct thread_block {
    void sync(int line = __builtin_LINE()) const { __syncthreads(line); }
    unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    dim3 dim_threads() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    dim3 group_dim() const { return dim_threads(); }
};
inline thread_block this_thread_block() { return thread_block(); }
template <class Group> void sync(const Group &group, int line = __builtin_LINE()) { group.sync(line); }

struct grid_group {
    dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    dim3 dim_blocks() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    dim3 group_dim() const { return dim_blocks(); }
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const
    {
        unsigned long long block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        return block * this_thread_block().size() + this_thread_block().thread_rank();
    }
    unsigned long long size() const
    {
        return (unsigned long long)this_thread_block().size() * gridDim.x * gridDim.y * gridDim.z;
    }
};
inline grid_group this_grid() { return grid_group(); }

template <unsigned N, class Parent = thread_block> struct thread_block_tile {
    static constexpr unsigned lanes = N == 32 ? 0xffffffffu : (1u << N % 32) - 1;
    unsigned lane() const { return this_thread_block().thread_rank() % 32; }
    unsigned mask() const { return lanes << lane() / N * N; }
    void sync(int line = __builtin_LINE()) const { __syncwarp(mask(), line); }
    constexpr unsigned size() const { return N; }
    constexpr unsigned num_threads() const { return N; }
    unsigned thread_rank() const { return this_thread_block().thread_rank() % N; }
    unsigned meta_group_rank() const { return this_thread_block().thread_rank() / N; }
    unsigned meta_group_size() const { return (this_thread_block().size() + N - 1) / N; }
    template <class T> T shfl(T v, int from) const { return __shfl_sync(mask(), v, from, N); }
    template <class T> T shfl_down(T v, unsigned d) const { return __shfl_down_sync(mask(), v, d, N); }
    template <class T> T shfl_up(T v, unsigned d) const { return __shfl_up_sync(mask(), v, d, N); }
    template <class T> T shfl_xor(T v, unsigned x) const { return __shfl_xor_sync(mask(), v, x, N); }
    bool any(bool p) const { return __any_sync(mask(), p); }
    bool all(bool p) const { return __all_sync(mask(), p); }
    unsigned ballot(bool p) const { return __ballot_sync(mask(), p) >> lane() / N * N; }
};
template <unsigned N, class Parent> thread_block_tile<N, Parent> tiled_partition(const Parent &) { return {}; }

template <class T> struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };
template <class Tile, class T, class Operation> T reduce(const Tile &tile, T v, Operation operation)
{
    for (unsigned d = tile.size() / 2; d > 0; d /= 2)
        v = operation(v, tile.shfl_xor(v, d));
    return v;
}

}  // namespace cooperative_groups
