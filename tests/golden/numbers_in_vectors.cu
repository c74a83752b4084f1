// Arrays of vectors whose numbers are also read one by one, two by two and four by four.
// s2sad: --of y --wrt z,h
__device__ float spread(const float *pair) { return pair[0] * pair[1]; }
__device__ void put(float2 *out, int i, float2 v) { out[i].y += v.x; }

__global__ void numbers_in_vectors(const float2 *__restrict__ z, const float2 *h, float2 *y, int n)
{
    float *parts = (float *)z;
    float4 *twice = (float4 *)y;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 w = h[i];
        float4 out = twice[i];
        out.x += parts[4 * i] * w.x;
        out.y = parts[4 * i + 1] * w.y + spread((float *)(z + i));
        out.z = z[2 * i + 1].x * z[2 * i].y;
        float *walk = (float *)(z + 2 * i);
        for (int k = 0; k < 4; k++)
            out.w *= *walk++;
        twice[i] = out;
        put(y, 2 * i, z[2 * i + 1]);
    }
}
