struct Half {
    float half;
    float float2;
};
extern "C" __global__ void name_half_of_a_struct(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Half h = {x[i], x[i + 1]};
    y[i] = h.half * h.float2;
}
