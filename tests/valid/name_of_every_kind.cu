struct A { float half; __device__ A(float half) : half(half) {} __device__ float get(float half2) const { return half2 * half; } };
template <typename T> __device__ T mid(T half, T dim3) { return half * dim3; }
__device__ float wide(float v) { return v * v; }
extern "C" __global__ void name_of_every_kind(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    auto half2 = 0.5f * x[i];
    const auto uint2 = half2;
    float a = half2, float2 = (half2) * a + (half2)*(uint2) + (a) + (half2);
    const float dim3 = -half2;
    static const float ushort = 2.0f;
    const int size_t = sizeof(half2) + sizeof half2;
    float int2[2] = {half2, a};
    float *int4 = int2, &float3 = a;
    float3 += half2 < a ? half2 : a;
    for (int ulong = 0; ulong < 2; ++ulong) float3 *= int2[ulong];
    half2++;
    int2[0] = half2, int2[1] += float3;
    *int4 = float3 * half2;
    if (half2 > a && half2 < 3) half2 = A(half2).get(x[i + 1]);
    y[i] = half2 * float2 * dim3 * ushort * size_t * mid<float>(half2, a) * wide(half2);
}
