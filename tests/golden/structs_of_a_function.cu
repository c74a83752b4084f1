// s2sad: --of y --wrt x
// Structs that are defined in functions: with a variable, by a typedef in a loop, without a name in shared memory.
#define N 32

__device__ float bent(float a)
{
    struct State {
        float at, speed;
    } s = {a, 0.5f * a};
    s.speed *= s.at;
    return s.at - s.speed;
}

extern "C" __global__ void structs_of_a_function(const float *x, float *y, int n)
{
    __shared__ struct {
        float value[N];
        float weight;
    } tile;
    int t = threadIdx.x;
    int i = blockIdx.x * N + t;
    tile.value[t] = i < n ? bent(x[i]) : 0.0f;
    if (t == 0)
        tile.weight = x[blockIdx.x];
    __syncthreads();
    struct State {
        float sum;
        struct {
            float last, best;
        } of;
    } state = {0.0f, {0.0f, tile.value[0]}};
    for (int k = 0; k < 3; ++k) {
        typedef struct {
            float a, b;
        } Pair;
        Pair p = {tile.value[(t + k) % N], tile.value[(t + 2 * k) % N]};
        state.sum += p.a * p.b;
        state.of.last = p.b;
        state.of.best = fmaxf(state.of.best, p.a);
    }
    if (i < n)
        y[i] = tile.weight * state.sum + state.of.last * state.of.best;
}
