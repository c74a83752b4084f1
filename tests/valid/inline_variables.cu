inline constexpr float scale = 2.0f;
__device__ const float table[] = {1.0f, 2.0f};
__constant__ float weights[4];
struct Config {
    static constexpr float factor = 3.0f;
};
extern "C" __global__ void inline_variables(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = x[i] * scale * x[i] * Config::factor * table[1];
}
