// s2sad: --of y --wrt x,rate
// Time goes on in floating steps; how many there are can only be recorded.
extern "C" __global__ void float_counter(const float *x, float rate, float *y, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    for (float t = 0.0f; t < 1.0f; t += dt)
        v += dt * rate * v * (1.0f - v) * cosf(t);
    y[i] = v;
}
