// help: write the loop into the kernel itself
// s2sad: --of y --wrt x
// a value that settles, with all that it was on the way
extern "C" __global__ void settle(const float *x, float *y, int limit)
{
    int i = threadIdx.x;
    float state[100];
    int k = 0;
    state[0] = x[i];
    while (state[k] > 0.1f) {
        state[k + 1] = state[k] * 0.5f * sinf(state[k]);
        ++k;
    }
    y[i] = state[k];
}
