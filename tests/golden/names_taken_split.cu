// names_taken_adj: adjoint of names_taken (names_taken.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform names_taken.cu --of y --wrt x,adj_x --mode split
//
// First launch names_taken_fwd, with the same grid, block and tape: it does what
// names_taken does, and records. Call with x and adj_x as they were before names_taken.
// Seed adj2_y with dJ/dy: it is left alone, because names_taken stores each element of
// y at most once. dJ/dx is added to adj2_x; dJ/dadj_x is added to adj2_adj_x. y is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i, g (line 8), tape_s,   recomputed                   from values at hand
//   g2
//   adj_x[..], x[..]         reloaded                     nothing stores to it
//   s (line 12)              tape_s_2[3], global memory   line 14 or 16 changes it in
//                                                         each iteration
//   trips                    tape_trips, global memory    a loop computed it, and only
//                                                         the forward kernel runs that
//   s (line 12)              tape_s_3, global memory      a loop computed it, and only
//                                                         the forward kernel runs that
//   g (line 13)              recomputed                   from values at hand, in the
//                                                         reversed iteration
//   s (line 15)              ds_ds0, carried forward      line 16 changes it in each
//                                                         iteration, and inputs are few
//
// How adjoints are added up:
//   adj2_x[..]       +=, one owner   one thread per element
//   adj2_adj_x[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of 3 * sizeof(float) bytes (tape_s_2) and sizeof(int) bytes
// (tape_trips) and sizeof(float) bytes (tape_s_3) per thread, in global memory;
// names_taken_adj_tape_bytes(grid, block, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t names_taken_adj_tape_bytes(dim3 grid, dim3 block, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 3 * sizeof(float) + 15) / 16 * 16;  // tape_s_2
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_trips
    bytes += (threads * 1 * sizeof(float) + 15) / 16 * 16;  // tape_s_3
    return bytes;
}
#endif

extern "C" __global__ void names_taken_fwd(const float *x, const float *adj_x, float *y, int n,
                                           char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_s_2 = (float *)(tape + at) + thread;
    at += (threads * 3 * sizeof(float) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    float *tape_s_3 = (float *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float g = x[i] * adj_x[i];
    float tape_s = g * g;
    float s = tape_s;
    int trips = 0;
    for (int thread = 0; thread < 3; ++thread) {
        tape_s_2[thread * threads] = s;
        float g = s * x[i];
        s = sinf(g) * s + tape_s;
        float ds_ds0 = 1.0f;
        while (s > 1.0f) {
            ds_ds0 *= 0.5f + 0.2f * cosf(s);
            s = 0.5f * s + 0.2f * sinf(s);
            ++trips;
        }
    }
    *tape_s_3 = s;
    *tape_trips = trips;
    float g2 = s * trips + g;
    y[i] = g2 * s;
}

extern "C" __global__ void names_taken_adj(const float *x, float *adj2_x,
                                           const float *adj_x, float *adj2_adj_x,
                                           float *y, const float *adj2_y, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_s_2 = (float *)(tape + at) + thread;
    at += (threads * 3 * sizeof(float) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    at += (threads * sizeof(int) + 15) / 16 * 16;
    float *tape_s_3 = (float *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float g = x[i] * adj_x[i];
    float tape_s = g * g;
    float g2 = *tape_s_3 * *tape_trips + g;

    // 21:  y[i] = g2 * s
    float g_2 = adj2_y[i];
    float adj2_g2 = *tape_s_3 * g_2;
    float adj2_s = g2 * g_2;

    // 20:  float g2 = s * trips + g
    adj2_s += *tape_trips * adj2_g2;
    float adj2_g = adj2_g2;
    float adj2_tape_s = 0.0f;
    float adj2_x_sum = 0.0f;
    for (int thread = 2; thread >= 0; --thread) {
        float s = tape_s_2[thread * threads];
        float g = s * x[i];
        float sine;
        float cosine;
        sincosf(g, &sine, &cosine);
        float s_2 = sine * s + tape_s;
        float ds_ds0 = 1.0f;
        while (s_2 > 1.0f) {
            float sine;
            float cosine;
            sincosf(s_2, &sine, &cosine);
            ds_ds0 *= 0.5f + 0.2f * cosine;
            s_2 = 0.5f * s_2 + 0.2f * sine;
        }

        // 15:  while (s > 1.0f)
        // its tangents, carried along, are what it owes
        adj2_s *= ds_ds0;

        // 14:  s = sinf(g) * s + tape_s
        float adj2_g = s * cosine * adj2_s;
        adj2_tape_s += adj2_s;
        adj2_s *= sine;

        // 13:  float g = s * x[i]
        adj2_s += x[i] * adj2_g;
        adj2_x_sum += s * adj2_g;
    }
    // what the iterations owe, added once
    if (adj2_x_sum != 0.0f)
        adj2_x[i] += adj2_x_sum;

    // 10:  float s = tape_s
    adj2_tape_s += adj2_s;
    // 9:  float tape_s = g * g
    adj2_g += 2.0f * g * adj2_tape_s;

    // 8:  float g = x[i] * adj_x[i]
    adj2_x[i] += adj_x[i] * adj2_g;
    adj2_adj_x[i] += x[i] * adj2_g;
}
