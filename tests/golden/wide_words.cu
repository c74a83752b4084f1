// s2sad: --of y --wrt x,w,a
// Words of 16, 8 and 4 bytes that carry halves and floats: each number goes its own way.
#include <cuda_fp16.h>
template <typename T, int N> __device__ void moved(const T *from, T *to)
{
    if constexpr (N * sizeof(T) == 8)
        *reinterpret_cast<unsigned long long *>(to) = *reinterpret_cast<const unsigned long long *>(from);
    else
        *reinterpret_cast<uint4 *>(to) = *reinterpret_cast<const uint4 *>(from);
}

extern "C" __global__ void wide_words(const __half *x, const __half *w, const float *a, __half *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (8 * i >= n)
        return;
    float4 loaded = reinterpret_cast<const float4 *>(x)[i];
    const __half2 *first = (const __half2 *)&loaded.x;
    __half2 last = *reinterpret_cast<__half2 *>(&loaded.w);
    __half weights[4];
    moved<__half, 4>(w + 8 * i, weights);
    float scale[4];
    moved<float, 4>(a + 4 * i, scale);
    float4 shift = make_float4(scale[0] * scale[1], scale[2], 0.5f, scale[3]);
    const float *shifts = (const float *)&shift;
    float4 stored;
    __half *out = (__half *)&stored;
    for (int k = 0; k < 4; ++k) {
        out[k] = __float2half(__half2float(weights[k]) * shifts[k] + __half2float(last.x));
        out[k + 4] = __float2half(__half2float(first[1].y) * shifts[3 - k] * __half2float(weights[k]));
    }
    stored.y = loaded.z;
    reinterpret_cast<float4 *>(y)[i] = stored;
}
