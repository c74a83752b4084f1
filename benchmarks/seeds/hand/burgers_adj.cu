// Adjoint of burgers. The steps are reversed in segments of SEGMENT steps: the states of a segment are computed again,
// starting from the latest of at most KEPT snapshots, so that memory doesn't grow with `steps`. The upwind step is
//   u' = u + b (u[right] - u) - a (u - u[left]),  a = nu + r max(u, 0),  b = nu + r max(-u, 0),
// where a = b = 0 at the ends: a cell gathers a g of its right neighbour and b g of its left one.
#define CELLS 64
#define KEPT 16
#define SEGMENT 16  // even

// The number of segments to go to the next snapshot, if `left` >= 2 segments are to be reversed and `free` >= 1
// snapshots are free. In r passes over each segment (free + r choose r) of them can be reversed (Griewank and Walther,
// "Revolve", 2000).
__device__ int stride(int left, int free)
{
    int r = 0;
    for (int reach = 1; reach < left; reach = reach * (free + r) / r)
        ++r;
    return 1 + (left * r - 1) / (free + r);  // left * r / (free + r), rounded up
}

__device__ float next(const float *u, int left, int i, int right, float rate, float viscosity)
{
    const float below = u[i] - u[left], above = u[right] - u[i];
    return u[i] + viscosity * (above - below) - rate * u[i] * (u[i] > 0.0f ? below : above);
}

extern "C" __global__ void burgers_adj(const float *__restrict__ start,
                                       float *__restrict__ adj_start,
                                       float *__restrict__ end, const float *__restrict__ adj_end,
                                       float r, float nu, int steps)
{
    __shared__ float states[SEGMENT][CELLS], kept[KEPT][CELLS];
    __shared__ float to_left[2][CELLS], to_right[2][CELLS];
    __shared__ int at[KEPT];  // kept[top] is the state before segment at[top]
    const int i = threadIdx.x, left = max(i - 1, 0), right = min(i + 1, CELLS - 1);
    const bool inner = i > 0 && i < CELLS - 1;
    const float rate = inner ? r : 0.0f, viscosity = inner ? nu : 0.0f;  // the ends are fixed
    float g = adj_end[blockIdx.x * CELLS + i];
    int top = 0;
    kept[0][i] = start[blockIdx.x * CELLS + i];
    if (i == 0)
        at[0] = 0;
    for (int segment = (steps + SEGMENT - 1) / SEGMENT - 1; segment >= 0; --segment) {
        __syncthreads();  // the last segment has been read
        float u = kept[top][i];
        for (int here = at[top]; here < segment;) {
            const int go = stride(segment + 1 - here, KEPT - 1 - top);
            for (int t = 0; t < go * SEGMENT; ++t) {
                float *now = states[t % 2];
                now[i] = u;
                __syncthreads();
                u = next(now, left, i, right, rate, viscosity);
            }
            here += go;
            kept[++top][i] = u;
            if (i == 0)
                at[top] = here;
        }
        --top;

        const int n_states = min(SEGMENT, steps - segment * SEGMENT);
        states[0][i] = u;
        for (int t = 1; t < n_states; ++t) {
            __syncthreads();
            states[t][i] = next(states[t - 1], left, i, right, rate, viscosity);
        }
        for (int t = n_states - 1; t >= 0; --t) {
            const float *now = states[t];
            const float own = now[i], vg = viscosity * g, ug = rate * own * g;
            const float ag = own > 0.0f ? vg + ug : vg, bg = own > 0.0f ? vg : vg - ug;
            to_left[t % 2][i] = ag;
            to_right[t % 2][i] = bg;
            __syncthreads();
            const float upwind = own > 0.0f ? own - now[left] : now[right] - own;
            g += to_left[t % 2][right] - ag + to_right[t % 2][left] - bg - rate * upwind * g;
        }
    }
    adj_start[blockIdx.x * CELLS + i] += g;
}
