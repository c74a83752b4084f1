// lotka_volterra_adj: adjoint of lotka_volterra (lotka_volterra.cu:13).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform lotka_volterra.cu --of population --wrt population,rate
//
// Call with population and rate as they were before lotka_volterra. adj_population
// comes in as dJ/dpopulation after lotka_volterra and goes out as dJ/dpopulation before
// it, element by element. dJ/drate is added to adj_rate. population is only read.
//
// What the reverse sweep needs, and where it finds it:
//   birth, eaten, gain,      reloaded                          still in its variable
//   death
//   prey                     tape_prey[steps], global memory   line 32 changes it in
//                                                              each iteration
//   pred                     tape_pred[steps], global memory   line 33 changes it in
//                                                              each iteration
//   a1, b1, a2, b2, a3, b3   recomputed                        from values at hand, in
//                                                              the reversed iteration
//
// How adjoints are added up:
//   adj_population[..]   +=, one owner       one thread per element
//   adj_rate[..]         reduced per block   every thread reads rate[0], rate[1],
//                                            rate[2] and rate[3]
//
// Extra memory: a tape of steps * sizeof(float) bytes (tape_prey) and steps *
// sizeof(float) bytes (tape_pred) per thread, in global memory;
// lotka_volterra_adj_tape_bytes(grid, block, dt, steps, n) says how many in all.
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

static __device__ float prey_growth(float prey, float predators, float birth, float eaten)
{
    return prey * (birth - eaten * predators);
}

static __device__ float predator_growth(float prey, float predators, float gain, float death)
{
    return predators * (gain * prey - death);
}

static __device__ void predator_growth_adj(float prey, float *adj_prey,
                                           float predators, float *adj_predators,
                                           float gain, float *adj_gain,
                                           float death, float *adj_death, float adj_predator_growth)
{
    // 9:  return predators * (gain * prey - death)
    *adj_predators += (gain * prey - death) * adj_predator_growth;
    float g = predators * adj_predator_growth;
    *adj_gain += prey * g;
    *adj_prey += gain * g;
    *adj_death -= g;
}

static __device__ void prey_growth_adj(float prey, float *adj_prey,
                                       float predators, float *adj_predators,
                                       float birth, float *adj_birth,
                                       float eaten, float *adj_eaten, float adj_prey_growth)
{
    // 4:  return prey * (birth - eaten * predators)
    *adj_prey += (birth - eaten * predators) * adj_prey_growth;
    float g = prey * adj_prey_growth;
    *adj_birth += g;
    *adj_eaten -= predators * g;
    *adj_predators -= eaten * g;
}

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t lotka_volterra_adj_tape_bytes(dim3 grid, dim3 block, float dt, int steps, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_prey
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_pred
    return bytes;
}
#endif

extern "C" __global__ void lotka_volterra_adj(float *population, float *adj_population,
                                              const float *rate, float *adj_rate, float dt,
                                              int steps, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_prey = (float *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_pred = (float *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_death = 0.0f;
    float adj_gain = 0.0f;
    float adj_eaten = 0.0f;
    float adj_birth = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float prey = population[2 * i];
        float pred = population[2 * i + 1];
        float birth = rate[0];
        float eaten = rate[1];
        float gain = rate[2];
        float death = rate[3];

        for (int s = 0; s < steps; ++s) {
            tape_prey[s * threads] = prey;
            tape_pred[s * threads] = pred;
            float a1 = prey_growth(prey, pred, birth, eaten);
            float b1 = predator_growth(prey, pred, gain, death);
            float a2 = prey_growth(prey + 0.5f * dt * a1, pred + 0.5f * dt * b1, birth, eaten);
            float b2 = predator_growth(prey + 0.5f * dt * a1, pred + 0.5f * dt * b1, gain, death);
            float a3 = prey_growth(prey + 0.5f * dt * a2, pred + 0.5f * dt * b2, birth, eaten);
            float b3 = predator_growth(prey + 0.5f * dt * a2, pred + 0.5f * dt * b2, gain, death);
            float a4 = prey_growth(prey + dt * a3, pred + dt * b3, birth, eaten);
            float b4 = predator_growth(prey + dt * a3, pred + dt * b3, gain, death);
            prey += dt / 6.0f * (a1 + 2.0f * a2 + 2.0f * a3 + a4);
            pred += dt / 6.0f * (b1 + 2.0f * b2 + 2.0f * b3 + b4);
        }

        // ---- reverse sweep ------------------------------------------------------

        // 37:  population[2 * i + 1] = pred
        float adj_pred = adj_population[2 * i + 1];
        adj_population[2 * i + 1] = 0.0f;

        // 36:  population[2 * i] = prey
        float adj_prey = adj_population[2 * i];
        for (int s = steps - 1; s >= 0; --s) {
            float prey = tape_prey[s * threads];
            float pred = tape_pred[s * threads];
            float a1 = prey_growth(prey, pred, birth, eaten);
            float b1 = predator_growth(prey, pred, gain, death);
            float a2 = prey_growth(prey + 0.5f * dt * a1, pred + 0.5f * dt * b1, birth, eaten);
            float b2 = predator_growth(prey + 0.5f * dt * a1, pred + 0.5f * dt * b1, gain, death);
            float a3 = prey_growth(prey + 0.5f * dt * a2, pred + 0.5f * dt * b2, birth, eaten);
            float b3 = predator_growth(prey + 0.5f * dt * a2, pred + 0.5f * dt * b2, gain, death);

            // 33:  pred += dt / 6.0f * (b1 + 2.0f * b2 + 2.0f * b3 + b4)
            float g = dt / 6.0f * adj_pred;
            float adj_b1 = g;
            float adj_b2 = 2.0f * g;
            float adj_b3 = 2.0f * g;

            // 32:  prey += dt / 6.0f * (a1 + 2.0f * a2 + 2.0f * a3 + a4)
            float g_2 = dt / 6.0f * adj_prey;
            float adj_a1 = g_2;
            float adj_a2 = 2.0f * g_2;
            float adj_a3 = 2.0f * g_2;

            // 31:  float b4 = predator_growth(prey + dt * a3, pred + dt * b3, gain, death)
            float adj_prey_2 = 0.0f;
            float adj_predators = 0.0f;
            predator_growth_adj(prey + dt * a3, &adj_prey_2, pred + dt * b3, &adj_predators, gain,
                                &adj_gain, death, &adj_death, g);
            adj_prey += adj_prey_2;
            adj_a3 += dt * adj_prey_2;
            adj_pred += adj_predators;
            adj_b3 += dt * adj_predators;

            // 30:  float a4 = prey_growth(prey + dt * a3, pred + dt * b3, birth, eaten)
            float adj_prey_3 = 0.0f;
            float adj_predators_2 = 0.0f;
            prey_growth_adj(prey + dt * a3, &adj_prey_3, pred + dt * b3, &adj_predators_2, birth,
                            &adj_birth, eaten, &adj_eaten, g_2);
            adj_prey += adj_prey_3;
            adj_a3 += dt * adj_prey_3;
            adj_pred += adj_predators_2;
            adj_b3 += dt * adj_predators_2;

            // 29:  float b3 = predator_growth(prey + 0.5f * dt * a2, pred + 0.5f * dt * b2, gain,
            //      death)
            float adj_prey_4 = 0.0f;
            float adj_predators_3 = 0.0f;
            predator_growth_adj(prey + 0.5f * dt * a2, &adj_prey_4, pred + 0.5f * dt * b2,
                                &adj_predators_3, gain, &adj_gain, death, &adj_death, adj_b3);
            adj_prey += adj_prey_4;
            adj_a2 += 0.5f * dt * adj_prey_4;
            adj_pred += adj_predators_3;
            adj_b2 += 0.5f * dt * adj_predators_3;

            // 28:  float a3 = prey_growth(prey + 0.5f * dt * a2, pred + 0.5f * dt * b2, birth,
            //      eaten)
            float adj_prey_5 = 0.0f;
            float adj_predators_4 = 0.0f;
            prey_growth_adj(prey + 0.5f * dt * a2, &adj_prey_5, pred + 0.5f * dt * b2,
                            &adj_predators_4, birth, &adj_birth, eaten, &adj_eaten, adj_a3);
            adj_prey += adj_prey_5;
            adj_a2 += 0.5f * dt * adj_prey_5;
            adj_pred += adj_predators_4;
            adj_b2 += 0.5f * dt * adj_predators_4;

            // 27:  float b2 = predator_growth(prey + 0.5f * dt * a1, pred + 0.5f * dt * b1, gain,
            //      death)
            float adj_prey_6 = 0.0f;
            float adj_predators_5 = 0.0f;
            predator_growth_adj(prey + 0.5f * dt * a1, &adj_prey_6, pred + 0.5f * dt * b1,
                                &adj_predators_5, gain, &adj_gain, death, &adj_death, adj_b2);
            adj_prey += adj_prey_6;
            adj_a1 += 0.5f * dt * adj_prey_6;
            adj_pred += adj_predators_5;
            adj_b1 += 0.5f * dt * adj_predators_5;

            // 26:  float a2 = prey_growth(prey + 0.5f * dt * a1, pred + 0.5f * dt * b1, birth,
            //      eaten)
            float adj_prey_7 = 0.0f;
            float adj_predators_6 = 0.0f;
            prey_growth_adj(prey + 0.5f * dt * a1, &adj_prey_7, pred + 0.5f * dt * b1,
                            &adj_predators_6, birth, &adj_birth, eaten, &adj_eaten, adj_a2);
            adj_prey += adj_prey_7;
            adj_a1 += 0.5f * dt * adj_prey_7;
            adj_pred += adj_predators_6;
            adj_b1 += 0.5f * dt * adj_predators_6;

            // 25:  float b1 = predator_growth(prey, pred, gain, death)
            predator_growth_adj(prey, &adj_prey, pred, &adj_pred, gain, &adj_gain, death,
                                &adj_death, adj_b1);
            // 24:  float a1 = prey_growth(prey, pred, birth, eaten)
            prey_growth_adj(prey, &adj_prey, pred, &adj_pred, birth, &adj_birth, eaten, &adj_eaten,
                            adj_a1);
        }

        // 19:  float prey = population[2 * i]
        adj_population[2 * i] = adj_prey;
        // 20:  float pred = population[2 * i + 1]
        adj_population[2 * i + 1] += adj_pred;
    }
    block_add(&adj_rate[3], adj_death);
    block_add(&adj_rate[2], adj_gain);
    block_add(&adj_rate[1], adj_eaten);
    block_add(&adj_rate[0], adj_birth);
}
