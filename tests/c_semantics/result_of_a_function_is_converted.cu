// [stmt.return]: what is returned is converted to the function's type.
static __device__ unsigned char low(int v) { return v + 250; }
static __device__ int whole(float v) { return v; }
static __device__ bool any(int v) { return v & 6; }
static __device__ float real(double v) { return v * v; }
extern "C" __global__ void result_of_a_function_is_converted(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    s = sinf(s) * x[low(m[i]) & 15];
    s *= x[whole(3.9f * x[1])] * x[any(m[i])];
    s = real(s) + any(m[i] | 2) * s;
    y[i] = s;
}
