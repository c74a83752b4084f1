// s2sad: --of y --wrt x
__device__ float settled(float a)
{
    float state[100];
    int k = 0;
    state[0] = a;
    while (state[k] > 0.1f) {
//  ^^^^^^^^^^^^^^^^^^^^^^^ unbounded-record: the trip count is known only at run time
        state[k + 1] = state[k] * 0.5f * sinf(state[k]);
        ++k;
    }
    return state[k];
}

extern "C" __global__ void settle(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = settled(x[i]);
}
