// lotka_volterra_adj: adjoint of lotka_volterra (lotka_volterra.cu:2).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform lotka_volterra.cu --of prey,predator --wrt prey,predator,alpha,beta,gamma,delta
//
// Call with prey and predator as they were before lotka_volterra. adj_prey comes in as
// dJ/dprey after lotka_volterra and goes out as dJ/dprey before it, element by element.
// adj_predator comes in as dJ/dpredator after lotka_volterra and goes out as
// dJ/dpredator before it, element by element. dJ/dalpha is added to adj_alpha; dJ/dbeta
// is added to adj_beta; dJ/dgamma is added to adj_gamma; dJ/ddelta is added to
// adj_delta. prey and predator are only read.
//
// What the reverse sweep needs, and where it finds it:
//   x   tape_x[steps], global memory   line 11 changes it in each iteration
//   y   tape_y[steps], global memory   line 12 changes it in each iteration
//
// How adjoints are added up:
//   adj_prey[..]       +=, one owner       one thread per element
//   adj_predator[..]   +=, one owner       one thread per element
//   adj_alpha          reduced per block   every thread has its share in it
//   adj_beta           reduced per block   every thread has its share in it
//   adj_gamma          reduced per block   every thread has its share in it
//   adj_delta          reduced per block   every thread has its share in it
//
// Extra memory: a tape of steps * sizeof(float) bytes (tape_x) and steps *
// sizeof(float) bytes (tape_y) per thread, in global memory;
// lotka_volterra_adj_tape_bytes(grid, block, alpha, beta, gamma, delta, dt, steps, n)
// says how many in all.
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
extern "C" size_t lotka_volterra_adj_tape_bytes(dim3 grid, dim3 block, float alpha, float beta,
                                                float gamma, float delta, float dt, int steps,
                                                int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_x
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_y
    return bytes;
}
#endif

extern "C" __global__ void lotka_volterra_adj(float *prey, float *adj_prey,
                                              float *predator, float *adj_predator,
                                              float alpha, float *adj_alpha,
                                              float beta, float *adj_beta,
                                              float gamma, float *adj_gamma,
                                              float delta, float *adj_delta, float dt, int steps,
                                              int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_x = (float *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_y = (float *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_beta_sum = 0.0f;
    float adj_alpha_sum = 0.0f;
    float adj_gamma_sum = 0.0f;
    float adj_delta_sum = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float x = prey[i];
        float y = predator[i];
        for (int s = 0; s < steps; s++) {
            tape_x[s * threads] = x;
            tape_y[s * threads] = y;
            float dx = alpha * x - beta * x * y;
            float dy = delta * x * y - gamma * y;
            x += dt * dx;
            y += dt * dy;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 15:  predator[i] = y
        float adj_y = adj_predator[i];

        // 14:  prey[i] = x
        float adj_x = adj_prey[i];
        for (int s = steps - 1; s >= 0; --s) {
            float x = tape_x[s * threads];
            float y = tape_y[s * threads];

            // 12:  y += dt * dy
            float adj_dy = dt * adj_y;
            // 11:  x += dt * dx
            float adj_dx = dt * adj_x;

            // 10:  float dy = delta * x * y - gamma * y
            float g = y * adj_dy;
            adj_delta_sum += x * g;
            adj_x += delta * g;
            adj_y += (delta * x - gamma) * adj_dy;
            adj_gamma_sum -= y * adj_dy;

            // 9:  float dx = alpha * x - beta * x * y
            adj_alpha_sum += x * adj_dx;
            adj_x += alpha * adj_dx;
            float g_2 = -(y * adj_dx);
            adj_beta_sum += x * g_2;
            adj_x += beta * g_2;
            adj_y -= beta * x * adj_dx;
        }

        // 7:  y = predator[i]
        adj_predator[i] = adj_y;
        // 7:  float x = prey[i]
        adj_prey[i] = adj_x;
    }
    block_add(adj_alpha, adj_alpha_sum);
    block_add(adj_beta, adj_beta_sum);
    block_add(adj_gamma, adj_gamma_sum);
    block_add(adj_delta, adj_delta_sum);
}
