__device__ void load(float *to)
//                   ^^^^^^^^^ pointer-parameter: a `__device__` function takes and returns values only, for now
{
    *to = 1.0f;
}

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = 0.0f;
    load(&y[i]);
//       ^^^^^ address-of: only an output argument of a built-in may be an address, as in `sincosf(x, &s, &c)`
}
