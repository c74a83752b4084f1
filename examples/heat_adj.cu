// heat_adj: adjoint of heat (heat.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform heat.cu --of u --wrt u,kappa
//
// Call with u and kappa as they were before heat. adj_u comes in as dJ/du after heat
// and goes out as dJ/du before it, element by element. dJ/dkappa is added to adj_kappa.
// The content of u afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   u[rod * points]                tape_left_2[steps], global memory              line 14 overwrites it
//   left                           tape_left[points - 2], global memory           line 15 changes it in
//                                                                                 each iteration
//   u[rod * points + p]            tape_here[steps][points - 2], global memory    line 14 overwrites it
//   here, right, end               recomputed                                     from values at hand, in
//                                                                                 the reversed iteration
//   u[rod * points + p + 1]        tape_right[steps][points - 2], global memory   line 14 overwrites it
//   kappa[..]                      reloaded                                       nothing stores to it
//   u[rod * points + points - 1]   tape_end[steps], global memory                 line 18 overwrites it
//
// How adjoints are added up:
//   adj_u[..]       +=, one owner       each thread has elements of its own
//   adj_kappa[..]   reduced per block   every thread reads the same kappa[p]
//
// Extra memory: a tape of ((long long)points - 2) * sizeof(float) bytes (tape_left) and
// steps * sizeof(float) bytes (tape_end) and (steps * ((long long)points - 2)) *
// sizeof(float) bytes (tape_right) and (steps * ((long long)points - 2)) *
// sizeof(float) bytes (tape_here) and steps * sizeof(float) bytes (tape_left_2) per
// thread, in global memory; heat_adj_tape_bytes(grid, block, rods, points, steps) says
// how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t heat_adj_tape_bytes(dim3 grid, dim3 block, int rods, int points, int steps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_left
    bytes += (threads * ((long long)points - 2 > 0 ? (long long)points - 2 : 0) * sizeof(float)
              + 15) / 16 * 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_end
    // tape_right
    bytes += (threads
              * ((steps > 0 ? steps : 0) * ((long long)points - 2 > 0 ? (long long)points - 2 : 0))
              * sizeof(float) + 15) / 16 * 16;
    // tape_here
    bytes += (threads
              * ((steps > 0 ? steps : 0) * ((long long)points - 2 > 0 ? (long long)points - 2 : 0))
              * sizeof(float) + 15) / 16 * 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_left_2
    return bytes;
}
#endif

extern "C" __global__ void heat_adj(float *u, float *adj_u,
                                    const float *kappa, float *adj_kappa, int rods, int points,
                                    int steps, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_left = (float *)(tape + at) + thread;
    at += (threads * (points - 2 > 0 ? points - 2 : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_end = (float *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_right = (float *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * (points - 2 > 0 ? points - 2 : 0) * sizeof(float)
           + 15) / 16 * 16;
    float *tape_here = (float *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * (points - 2 > 0 ? points - 2 : 0) * sizeof(float)
           + 15) / 16 * 16;
    float *tape_left_2 = (float *)(tape + at) + thread;
    int rod = blockIdx.x * blockDim.x + threadIdx.x;
    if (rod < rods && points >= 3) {
        // ---- forward sweep ------------------------------------------------------

        for (int s = 0; s < steps; ++s) {
            float left = u[rod * points];
            tape_left_2[s * threads] = left;
            for (int p = 1; p < points - 1; ++p) {
                float here = u[rod * points + p];
                tape_here[((size_t)s * (points - 2) + (p - 1)) * threads] = here;
                float right = u[rod * points + p + 1];
                tape_right[((size_t)s * (points - 2) + (p - 1)) * threads] = right;
                u[rod * points + p] = here + kappa[p] * (left - 2.0f * here + right);
                left = here;
            }
            float end = u[rod * points + points - 1];
            tape_end[s * threads] = end;
            u[rod * points + points - 1] = end - 0.01f * end * end * end * end;
        }
    }

    // ---- reverse sweep ------------------------------------------------------

    for (int s = steps - 1; s >= 0; --s) {
        float adj_left;
        if (rod < rods && points >= 3) {
            float left = tape_left_2[s * threads];
            for (int p = 1; p < points - 1; ++p) {
                tape_left[(p - 1) * threads] = left;
                float here = tape_here[((size_t)s * (points - 2) + (p - 1)) * threads];
                left = here;
            }
            float end = tape_end[s * threads];

            // 18:  u[rod * points + points - 1] = end - 0.01f * end * end * end * end
            float g = adj_u[rod * points + points - 1];

            // 17:  float end = u[rod * points + points - 1]
            adj_u[rod * points + points - 1] = g - 4.0f * 0.01f * end * end * end * g;
            adj_left = 0.0f;
        }
        for (int p = points - 2; p >= 1; --p) {
            float adj_kappa_sum = 0.0f;
            if (rod < rods && points >= 3) {
                float left = tape_left[(p - 1) * threads];
                float here = tape_here[((size_t)s * (points - 2) + (p - 1)) * threads];
                float right = tape_right[((size_t)s * (points - 2) + (p - 1)) * threads];

                // 15:  left = here
                float adj_here = adj_left;

                // 14:  u[rod * points + p] = here + kappa[p] * (left - 2.0f * here + right)
                float g = adj_u[rod * points + p];
                adj_here += g;
                adj_kappa_sum = (left - 2.0f * here + right) * g;
                float g_2 = kappa[p] * g;
                adj_left = g_2;
                adj_here -= 2.0f * g_2;
                adj_u[rod * points + p] = 0.0f;

                // 13:  float right = u[rod * points + p + 1]
                adj_u[rod * points + p + 1] += g_2;
                // 12:  float here = u[rod * points + p]
                adj_u[rod * points + p] += adj_here;
            }
            block_add(&adj_kappa[p], adj_kappa_sum);
        }
        if (rod < rods && points >= 3) {
            // 10:  float left = u[rod * points]
            adj_u[rod * points] += adj_left;
        }
    }
}
