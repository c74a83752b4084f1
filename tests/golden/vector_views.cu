// Arrays of numbers read and written four at a time, and two at a time in shared memory.
// s2sad: --of y --wrt x,w
#define FETCH_FLOAT4(place) (reinterpret_cast<float4 *>(&(place))[0])

__global__ void vector_views(const float *x, float *w, float *y, int n)
{
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (4 * i + 3 < n)
        v = reinterpret_cast<const float4 *>(x)[i];
    float2 *pairs = (float2 *)(tile + 4 * threadIdx.x);
    pairs[0] = make_float2(v.x * v.y, v.z);
    pairs[1].x = v.w;
    pairs[1].y = sinf(v.x);
    __syncthreads();
    if (4 * i + 3 < n) {
        float4 *out = (float4 *)y + i;
        float4 scale = FETCH_FLOAT4(w[4 * i]);
        *out = make_float4(scale.x * tile[4 * threadIdx.x], scale.y * tile[63 - 4 * threadIdx.x],
                           scale.z * scale.z, tile[4 * threadIdx.x + 3]);
        out->w += v.w;
    }
}
