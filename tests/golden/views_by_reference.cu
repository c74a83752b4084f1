// s2sad: --of y,g --wrt x,g
// References to four numbers at once, `(float4 &)s[j]`: of shared memory, a local array, an argument.
extern "C" __global__ void views_by_reference(const float *x, float *g, float *y, int n)
{
    __shared__ float row[32];
    float state[4] = {0.0f};
    int i = blockIdx.x * 32 + threadIdx.x;
    row[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int j = 0; j < 32; j += 4) {
        const float4 &r = (float4 &)(row[j]);
        float4 &s = (float4 &)(state[0]);
        sum += r.x * s.x + r.y * s.y + r.z * s.w;
        s.x = s.x * 0.5f + r.x;
        s.y += r.w;
        s.z = r.x;
        s.w *= s.z;
    }
    if (i >= n)
        return;
    float2 &h = *(float2 *)&g[2 * i];
    h.x *= sum;
    h.y += h.x * state[1];
    y[i] = sum + (float &)state[3] + state[0] * state[1];
}
