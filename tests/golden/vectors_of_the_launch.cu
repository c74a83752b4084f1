// s2sad: --of result --wrt points
// Dynamic shared memory of vectors: a sum over the block of pairs.
__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }

extern "C" __global__ void vectors_of_the_launch(const float2 *points, float2 *result, int n)
{
    extern __shared__ float2 part[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float2 p = i < n ? points[i] : make_float2(0.0f, 0.0f);
    part[t] = make_float2(p.x * p.y, p.x * p.x);
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            part[t] = part[t] + part[t + s];
        __syncthreads();
    }
    if (t == 0)
        result[blockIdx.x] = make_float2(part[0].x * part[0].y, part[0].y);
}
