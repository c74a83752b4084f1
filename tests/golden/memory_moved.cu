// memcpy and memset of elements: a state that is taken over, sums that begin at zero, a row that is handed on.
// s2sad: --of y,last --wrt x
#define N 4

__device__ void step(float *state, float h)
{
    float next[N];
    memset(next, 0, sizeof(next));
    for (int k = 0; k < N; k++) {
        next[k] += state[k] + h * sinf(state[(k + 1) % N]);
        next[(k + 1) % N] += 0.125f * h * state[k] * state[k];
    }
    memcpy(state, next, N * sizeof(float));
}

extern "C" __global__ void memory_moved(const float *x, float *y, float *last, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float state[N];
    memcpy(state, x + N * i, sizeof(float) * N);
    for (int s = 0; s < steps; s++)
        step(state, 0.25f);
    memcpy(&y[N * i], &state, sizeof(state));
    if (i == 0) {
        float tail[2];
        memset(tail, 0, 2 * sizeof(float));
        memcpy(tail + 1, state + 1, sizeof(float));
        last[0] = tail[0] + tail[1] * tail[1];
    }
}
