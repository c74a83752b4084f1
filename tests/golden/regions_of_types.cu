// s2sad: --of y --wrt x,w
// Vectors in shared memory, later read one by one with places behind them; numbers with places before them.
extern "C" __global__ void regions_of_types(const float2 *x, const float *w, const int *order, float *y, int n)
{
    __shared__ float4 quads[24];
    __shared__ int memory[96];
    float *values = (float *)&memory[24];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float2 own = i < n ? x[i] : make_float2(0.0f, 0.0f);
    values[t] = own.x * own.y;
    memory[t] = order[t];
    quads[t] = make_float4(own.x, own.y, values[t], w[t]);
    __syncthreads();
    float sum = values[memory[t]] * quads[memory[t]].z + quads[t].x * quads[t].w;
    __syncthreads();
    float *parts = (float *)quads;
    int *last = (int *)&parts[24];
    parts[t] = sum * w[t];
    last[t] = memory[t] > t ? t : memory[t];
    __syncthreads();
    if (i < n)
        y[i] = parts[last[t]] * sum;
}
