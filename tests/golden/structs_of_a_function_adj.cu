// structs_of_a_function_adj: adjoint of structs_of_a_function (structs_of_a_function.cu:14).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform structs_of_a_function.cu --of y --wrt x
//
// Call with x as it was before structs_of_a_function. Seed adj_y with dJ/dy: it is left
// alone, because structs_of_a_function stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]                      reloaded                           nothing stores to it
//   state.of.best (line 32)    tape_state_of_best[3], registers   line 39 changes it in
//                                                                 each iteration
//   state.sum,                 reloaded                           still in its variable
//   state.of.best (line 32),
//   state.of.last
//   p.a, p.b,                  recomputed                         from values at hand, in
//                                                                 the reversed iteration
//   state.of.best (line 39)
//   tile.weight[..]            reloaded                           no later store goes to
//                                                                 it
//
// How adjoints are added up:
//   adj_x[..]             atomicAdd           not proved that two threads never meet in
//                                             x[i] and x[blockIdx.x]
//   adj_tile.value[..]    reduced per block   every thread reads tile.value[0]
//   adj_tile.value[..]    atomicAdd           other threads add to tile.value[(t + 2 *
//                                             k) % N] and tile.value[(t + k) % N] too
//   adj_tile.weight[..]   reduced per block   every thread reads tile.weight
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define N 32

struct State {
    float at;
    float speed;
};
struct tile_t {
    float value[32];
    float weight;
};
struct of_t {
    float last;
    float best;
};
struct State_2 {
    float sum;
    of_t of;
};
struct Pair {
    float a;
    float b;
};

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

static __device__ float bent(float a)
{
    State s = {a, 0.5f * a};
    s.speed *= s.at;
    return s.at - s.speed;
}

static __device__ float bent_adj(float a, float adj_bent)
{
    State s = {a, 0.5f * a};
    // 11:  return s.at - s.speed
    State adj_s = {adj_bent, -adj_bent};

    // 10:  s.speed *= s.at
    adj_s.at += s.speed * adj_s.speed;
    adj_s.speed *= s.at;

    // 7:  struct State { float at, speed; } s = {a, 0.5f * a}
    return 0.5f * adj_s.speed + adj_s.at;
}

extern "C" __global__ void structs_of_a_function_adj(const float *x, float *adj_x,
                                                     float *y, const float *adj_y, int n)
{
    __shared__ tile_t tile;
    __shared__ tile_t adj_tile;
    for (int q = threadIdx.x; q < N; q += blockDim.x)
        adj_tile.value[q] = 0.0f;
    if (threadIdx.x == 0)
        adj_tile.weight = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * N + t;
    tile.value[t] = i < n ? bent(x[i]) : 0.0f;
    if (t == 0)
        tile.weight = x[blockIdx.x];
    __syncthreads();
    State_2 state;
    state.sum = 0.0f;
    state.of.last = 0.0f;
    state.of.best = tile.value[0];
    float tape_state_of_best[3];
    for (int k = 0; k < 3; ++k) {
        tape_state_of_best[k] = state.of.best;
        Pair p = {tile.value[(t + k) % N], tile.value[(t + 2 * k) % N]};
        state.sum += p.a * p.b;
        state.of.last = p.b;
        state.of.best = fmaxf(state.of.best, p.a);
    }

    // ---- reverse sweep ------------------------------------------------------

    State_2 adj_state = {};
    float adj_tile_weight_0 = 0.0f;
    if (i < n) {
        // 42:  y[i] = tile.weight * state.sum + state.of.last * state.of.best
        float g = adj_y[i];
        adj_tile_weight_0 = state.sum * g;
        adj_state.sum = tile.weight * g;
        adj_state.of.last = state.of.best * g;
        adj_state.of.best = state.of.last * g;
    }
    block_add(&adj_tile.weight, adj_tile_weight_0);
    for (int k = 2; k >= 0; --k) {
        float state_of_best = tape_state_of_best[k];
        float p_a = tile.value[(t + k) % N];
        float p_b = tile.value[(t + 2 * k) % N];
        Pair adj_p;
        adj_p.a = 0.0f;

        // 39:  state.of.best = fmaxf(state.of.best, p.a)
        float g = adj_state.of.best;
        adj_state.of.best = 0.0f;
        if (fmaxf(state_of_best, p_a) == state_of_best)
            adj_state.of.best += g;
        else
            adj_p.a = g;

        // 38:  state.of.last = p.b
        adj_p.b = adj_state.of.last;
        adj_state.of.last = 0.0f;

        // 37:  state.sum += p.a * p.b
        adj_p.a += p_b * adj_state.sum;
        adj_p.b += p_a * adj_state.sum;

        // 36:  Pair p = {tile.value[(t + k) % N], tile.value[(t + 2 * k) % N]}
        atomicAdd(&adj_tile.value[(t + 2 * k) % N], adj_p.b);
        atomicAdd(&adj_tile.value[(t + k) % N], adj_p.a);
    }

    // 26:  struct State { float sum; struct { float last, best; } of; } state = {0.0f, {0.0f,
    //      tile.value[0]}}
    block_add(&adj_tile.value[0], adj_state.of.best);
    __syncthreads();
    if (t == 0) {
        // 24:  tile.weight = x[blockIdx.x]
        atomicAdd(&adj_x[blockIdx.x], adj_tile.weight);
    }

    // 22:  tile.value[t] = i < n ? bent(x[i]) : 0.0f
    if (i < n)
        atomicAdd(&adj_x[i], bent_adj(x[i], adj_tile.value[t]));
}
