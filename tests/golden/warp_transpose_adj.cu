// warp_transpose_adj: adjoint of warp_transpose (warp_transpose.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_transpose.cu --of y --wrt x
//
// Call with x as it was before warp_transpose. Seed adj_y with dJ/dy: it is left alone,
// because warp_transpose stores each element of y at most once. dJ/dx is added to
// adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 11)        tape_v, a register      line 15 overwrites it
//   tile[warp][lane]   tape_tile, a register   line 13 overwrites it
//   v (line 15)        reloaded                still in its variable
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   one thread per element
//   adj_tile[..]   atomicAdd       not proved that two threads never meet in
//                                  tile[warp][31 - lane] and tile[warp][lane ^ 1]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void warp_transpose_adj(const float *x, float *adj_x,
                                              float *y, const float *adj_y, int n)
{
    __shared__ float tile[2][32];
    __shared__ float adj_tile[2][32];
    for (int q = threadIdx.x; q < 2 * 32; q += blockDim.x)
        adj_tile[q / 32][q % 32] = 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    tile[warp][lane] = i < n ? x[i] : 0.0f;
    __syncwarp();
    float v = tile[warp][31 - lane];
    float tape_v = v;
    __syncwarp();
    float tape_tile = tile[warp][lane];
    tile[warp][lane] = v * tile[warp][lane];
    __syncwarp(0xffffffffu);
    v += tile[warp][lane ^ 1];
    float adj_v = 0.0f;
    if (i < n) {
        // 17:  y[i] = v * v
        adj_v = 2.0f * v * adj_y[i];
    }

    // 15:  v += tile[warp][lane ^ 1]
    atomicAdd(&adj_tile[warp][lane ^ 1], adj_v);
    __syncwarp(0xffffffffu);

    // 13:  tile[warp][lane] = v * tile[warp][lane]
    adj_v += tape_tile * adj_tile[warp][lane];
    adj_tile[warp][lane] *= tape_v;
    __syncwarp();

    // 11:  float v = tile[warp][31 - lane]
    atomicAdd(&adj_tile[warp][31 - lane], adj_v);
    __syncwarp();

    // 9:  tile[warp][lane] = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_tile[warp][lane];
}
