extern "C" __global__ void kernel(const float3 *a, const float3 *b, float3 *c)
{
    int i = threadIdx.x;
    c[i] = a[i] + b[i];
//         ^^^^^^^^^^^ type-error: define `operator+` or write it field by field
}
