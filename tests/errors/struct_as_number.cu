extern "C" __global__ void kernel(const float3 *a, float *y)
{
    int i = threadIdx.x;
    float3 v = a[i];
    y[i] = 2.0f * v;
//                ^ type-error: select one of its fields
    y[i] = v.w;
//         ^^^ type-error: it has x, y, z
}
