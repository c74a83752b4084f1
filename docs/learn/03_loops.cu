// s2sad: --of y --wrt x,w
// A loop that overwrites its variable in each iteration; the weights of a thread are its own.
#define STEPS 4

extern "C" __global__ void steps(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        for (int k = 0; k < STEPS; ++k)
            s = s + w[k * n + i] * s * s;
        y[i] = s;
    }
}
