__device__ float2 first(float2 v, int n)
{
    for (int k = 0; k < n; ++k)
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
        if (v.x > k)
            return v;
    return make_float2(0.0f, 0.0f);
}

extern "C" __global__ void kernel(const float2 *a, float2 *b, int n)
{
    b[threadIdx.x] = first(a[threadIdx.x], n);
}
