// s2sad: --of y --wrt x
// One function, called with every combination of active and passive arguments.
__device__ float mix(float a, float b, int sharp)
{
    float m = a * b;
    return sharp ? m * m : m + a / (1.0f + b * b);
}

extern "C" __global__ void device_activity(const float *x, const float *fixed, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float constant = mix(fixed[i], 2.0f, 1);
    float first = mix(x[i], constant, 0);
    float second = mix(constant, x[i], 1);
    y[i] = mix(first, second, i & 1);
}
