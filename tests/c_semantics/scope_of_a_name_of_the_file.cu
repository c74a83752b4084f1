// [basic.scope]: locals and parameters hide names of the file.
__constant__ const float factor = 0.5f;
constexpr int width = 3;
static __device__ float by(float factor, float v)
{
    float width = v * factor;
    {
        float factor = width * width;
        width += factor;
    }
    return width;
}
extern "C" __global__ void scope_of_a_name_of_the_file(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    s = by(x[1], s) * factor;
    {
        int width = 1 + (m[i] & 1);
        s = sinf(s) * x[width];
    }
    y[i] = s * x[width] + ::width * s * s;
}
