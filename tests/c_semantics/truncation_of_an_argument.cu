// [expr.call]: an argument is converted to its parameter's type, a result to the function's.
static __device__ int whole(float v) { return v * 4.0f; }
static __device__ float twice(int k) { return 2 * k; }
static __device__ float third(unsigned char k, float v) { return v * k / 3; }
extern "C" __global__ void truncation_of_an_argument(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    s = sinf(s) * x[whole(x[i + 1])];
    s *= twice(x[i + 2] * 3.0f) + s;
    s += third(257 + m[i], s);
    y[i] = s;
}
