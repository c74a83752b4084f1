// cloth_adj: adjoint of cloth (cloth.cu:10).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform cloth.cu --of fx,fy --wrt x,y,stiffness
//
// Call with x and y as they were before cloth. Seed adj_fx with dJ/dfx: it is left
// alone, because cloth stores each element of fx at most once. Seed adj_fy with dJ/dfy:
// it is left alone, because cloth stores each element of fy at most once. dJ/dx is
// added to adj_x; dJ/dy is added to adj_y; dJ/dstiffness is added to adj_stiffness. fx
// and fy are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   cc, rr, there, dx, dy   recomputed   from values at hand, in the reversed iteration
//
// How adjoints are added up:
//   adj_x[..]       atomicAdd           not proved that two threads never meet in
//                                       x[there] and x[here]
//   adj_y[..]       atomicAdd           not proved that two threads never meet in
//                                       y[there] and y[here]
//   adj_stiffness   reduced per block   every thread has its share in it
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (thread + d < threads)  // the last warp may be short
            value += above;
    }
    if (thread % 32 == 0)
        sums[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        for (int warp = 1; 32 * warp < threads; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

static __device__ void spring_adj_dx_dy_along_k(float dx, float *adj_dx,
                                                float dy, float *adj_dy,
                                                float along, float *adj_along,
                                                float k, float *adj_k, float rest, float adj_spring)
{
    float result;
    float length = sqrtf(dx * dx + dy * dy);
    result = k * (length - rest) * along / length;

    // 7:  return k * (length - rest) * along / length
    float g = adj_spring / length;
    float g_2 = along * g;
    *adj_k += (length - rest) * g_2;
    float adj_length = k * g_2 - result * g;
    *adj_along += k * (length - rest) * g;

    // 6:  float length = sqrtf(dx * dx + dy * dy)
    if (adj_length != 0.0f) {
        float g = 0.5f * adj_length / length;
        *adj_dx += 2.0f * dx * g;
        *adj_dy += 2.0f * dy * g;
    }
}

extern "C" __global__ void cloth_adj(const float *x, float *adj_x,
                                     const float *y, float *adj_y,
                                     float *fx, const float *adj_fx,
                                     float *fy, const float *adj_fy, int width, int height,
                                     float stiffness, float *adj_stiffness)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    float adj_stiffness_sum = 0.0f;
    if (c < width && r < height) {
        int here = r * width + c;
        // 30:  fy[here] = sum_y
        float adj_sum_y = adj_fy[here];

        // 29:  fx[here] = sum_x
        float adj_sum_x = adj_fx[here];
        for (int k = 0; k < 4; ++k) {
            int cc = c + (k == 0) - (k == 1);
            int rr = r + (k == 2) - (k == 3);
            if (!(cc < 0 || cc >= width || rr < 0 || rr >= height)) {
                int there = rr * width + cc;
                float dx = x[there] - x[here];
                float dy = y[there] - y[here];
                float adj_dy = 0.0f;
                float adj_dx = 0.0f;

                // 27:  sum_y += spring(dx, dy, dy, stiffness, 1.0f)
                float adj_along = 0.0f;
                spring_adj_dx_dy_along_k(dx, &adj_dx, dy, &adj_dy, dy, &adj_along, stiffness,
                                         &adj_stiffness_sum, 1.0f, adj_sum_y);
                adj_dy += adj_along;

                // 26:  sum_x += spring(dx, dy, dx, stiffness, 1.0f)
                float adj_along_2 = 0.0f;
                spring_adj_dx_dy_along_k(dx, &adj_dx, dy, &adj_dy, dx, &adj_along_2, stiffness,
                                         &adj_stiffness_sum, 1.0f, adj_sum_x);
                adj_dx += adj_along_2;

                // 25:  dy = y[there] - y[here]
                atomicAdd(&adj_y[there], adj_dy);
                atomicAdd(&adj_y[here], -adj_dy);

                // 25:  float dx = x[there] - x[here]
                atomicAdd(&adj_x[there], adj_dx);
                atomicAdd(&adj_x[here], -adj_dx);
            }
        }
    }
    block_add(adj_stiffness, adj_stiffness_sum);
}
