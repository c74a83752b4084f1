// shared_twice_adj: adjoint of shared_twice (shared_twice.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform shared_twice.cu --of y --wrt x,w
//
// Call with x and w as they were before shared_twice. Seed adj_y with dJ/dy: it is left
// alone, because shared_twice stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   buffer[t]               tape_buffer, a register     line 14 overwrites it
//   buffer[BLOCK - 1 - t]   tape_buffer_2, a register   line 14 overwrites it
//   mirrored, near          reloaded                    still in its variable
//   w[..]                   reloaded                    nothing stores to it
//   buffer[..]              reloaded                    no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]        +=, one owner   one thread per element
//   adj_w[..]        +=, one owner   one thread per element
//   adj_buffer[..]   +=, by phase    each place hits an element once per block, with
//                                    barriers between them
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 32

extern "C" __global__ void shared_twice_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                                            const float *__restrict__ w, float *__restrict__ adj_w,
                                            float *__restrict__ y, const float *__restrict__ adj_y,
                                            int n)
{
    __shared__ float buffer[BLOCK];
    __shared__ float adj_buffer[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_buffer[q] = 0.0f;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    buffer[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    float tape_buffer = buffer[t];
    float tape_buffer_2 = buffer[BLOCK - 1 - t];
    float mirrored = buffer[BLOCK - 1 - t] * buffer[t];
    __syncthreads();
    buffer[t] = i < n ? sinf(w[i]) : 0.0f;
    __syncthreads();
    float near = buffer[t];
    if (t > 0)
        near += buffer[t - 1] * mirrored;
    float adj_mirrored = 0.0f;
    float adj_near = 0.0f;
    if (i < n) {
        // 20:  y[i] = near * mirrored
        float g = adj_y[i];
        adj_near = mirrored * g;
        adj_mirrored += near * g;
    }
    if (t > 0) {
        // 18:  near += buffer[t - 1] * mirrored
        adj_buffer[t - 1] += mirrored * adj_near;
        adj_mirrored += buffer[t - 1] * adj_near;
    }
    __syncthreads();

    // 16:  float near = buffer[t]
    adj_buffer[t] += adj_near;

    // 14:  buffer[t] = i < n ? sinf(w[i]) : 0.0f
    if (i < n)
        adj_w[i] += cosf(w[i]) * adj_buffer[t];
    adj_buffer[t] = 0.0f;
    __syncthreads();

    // 12:  float mirrored = buffer[BLOCK - 1 - t] * buffer[t]
    adj_buffer[BLOCK - 1 - t] += tape_buffer * adj_mirrored;
    __syncthreads();
    adj_buffer[t] += tape_buffer_2 * adj_mirrored;

    // 10:  buffer[t] = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_buffer[t];
}
