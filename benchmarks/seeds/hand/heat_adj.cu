// Adjoint of heat. The steps are reversed in segments of SEGMENT steps: the states of a segment are computed again,
// starting from the latest of at most KEPT snapshots, so that memory doesn't grow with `steps`. A cell gathers from its
// neighbours: the Laplacian is its own adjoint, as `flow` is zero at the ends.
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

__device__ float next(const float *u, int left, int i, int right, float rate, float slope)
{
    return u[i] + rate * (1.0f + slope * u[i]) * (u[left] - 2.0f * u[i] + u[right]);
}

extern "C" __global__ void heat_adj(const float *__restrict__ start, float *__restrict__ adj_start,
                                    float *__restrict__ end, const float *__restrict__ adj_end,
                                    float r, float slope, int steps)
{
    __shared__ float states[SEGMENT][CELLS], kept[KEPT][CELLS];
    __shared__ float flows[2][CELLS];
    __shared__ int at[KEPT];  // kept[top] is the state before segment at[top]
    const int i = threadIdx.x, left = max(i - 1, 0), right = min(i + 1, CELLS - 1);
    const bool inner = i > 0 && i < CELLS - 1;
    const float rate = inner ? r : 0.0f;  // the ends are fixed
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
                u = next(now, left, i, right, rate, slope);
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
            states[t][i] = next(states[t - 1], left, i, right, rate, slope);
        }
        for (int t = n_states - 1; t >= 0; --t) {
            const float *now = states[t];
            float *flow = flows[t % 2];
            const float own = rate * (1.0f + slope * now[i]) * g;
            flow[i] = own;
            __syncthreads();
            g += rate * slope * (now[left] - 2.0f * now[i] + now[right]) * g + (flow[left] - 2.0f * own + flow[right]);
        }
    }
    adj_start[blockIdx.x * CELLS + i] += g;
}
