// [basic.lookup.unqual]: names in a function are looked up where it is defined, not where it is called.
constexpr float rate = 0.5f;
constexpr int from = 2;
static __device__ void step(float &v, const float *at) { v = sinf(v) * rate + at[from] * v; }
extern "C" __global__ void scope_of_a_name_that_an_inlined_function_uses(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float rate = x[1];
    step(s, x);
    {
        int from = 4 + (m[i] & 1);
        step(s, x + from);
        s *= x[from] * rate;
    }
    y[i] = s;
}
