// [stmt.dcl], [basic.stc.static]: a table of a function that is called more than once.
static __device__ float weighted(float v, int k)
{
    static const float weight[4] = {0.5f, -1.0f, 2.0f};
    const int last = 3;
    return v * weight[k & last] + v * v;
}
extern "C" __global__ void static_tables_in_a_function(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < 3; ++k)
        s = weighted(s, k + m[i]) + x[k];
    y[i] = weighted(s, 3) + weighted(s, 1);
}
