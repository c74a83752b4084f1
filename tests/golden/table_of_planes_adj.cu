// table_of_planes_adj: adjoint of table_of_planes (table_of_planes.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform table_of_planes.cu --of y --wrt x
//
// Call with x as it was before table_of_planes. Seed adj_y with dJ/dy: it is left
// alone, because table_of_planes stores each element of y at most once. dJ/dx is added
// to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   offset[..], plane[..]   reloaded   no later store goes to it
//   v                       reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner   each thread has elements of its own
//   adj_plane[..]   atomicAdd       whoever stores an element may not be its only
//                                   thread
//   adj_plane[..]   exchanged       no proof that only one thread stores an element;
//                                   one takes its adjoint
//
// Extra memory: adj_plane lies behind plane in the launch's shared memory;
// table_of_planes_adj_shared_bytes(grid, block, shared_bytes, n) says how many bytes to
// launch with.
//
// Assumed: the launch is 1-D, no two threads store different values in one
// plane[offset[k] + t], arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for plane and adj_plane.
extern "C" size_t table_of_planes_adj_shared_bytes(dim3 grid, dim3 block, size_t shared_bytes,
                                                   int n)
{
    long long count = (long long)(int)block.x + 40;
    return count > 0 ? 2 * (size_t)count * sizeof(float) : 0;
}
#endif

extern "C" __global__ void table_of_planes_adj(const float *x, float *adj_x,
                                               float *y, const float *adj_y, int n)
{
    extern __shared__ float plane[];
    int plane_size = (int)blockDim.x + 40;
    float *adj_plane = plane + plane_size;
    for (int q = threadIdx.x; q < plane_size; q += blockDim.x)
        adj_plane[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int offset[3] = {0, 40, 16};
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    for (int k = 0; k < 3; ++k)
        plane[offset[k] + t] = i < n ? x[i + k * n] : 0.0f;
    __syncthreads();
    float v = plane[t] * plane[16 + t] + plane[(t + 1) % blockDim.x];

    // ---- reverse sweep ------------------------------------------------------

    float adj_v = 0.0f;
    if (i < n) {
        // 13:  y[i] = v * plane[40 + t]
        float g = adj_y[i];
        adj_v = plane[40 + t] * g;
        atomicAdd(&adj_plane[40 + t], v * g);
    }

    // 11:  float v = plane[t] * plane[16 + t] + plane[(t + 1) % blockDim.x]
    atomicAdd(&adj_plane[t], plane[16 + t] * adj_v);
    atomicAdd(&adj_plane[16 + t], plane[t] * adj_v);
    atomicAdd(&adj_plane[(t + 1) % blockDim.x], adj_v);
    __syncthreads();
    for (int k = 2; k >= 0; --k) {
        // 9:  plane[offset[k] + t] = i < n ? x[i + k * n] : 0.0f
        float g = atomicExch(&adj_plane[offset[k] + t], 0.0f);
        if (i < n)
            adj_x[i + k * n] += g;
    }
}
