// s2sad: --of y --wrt p --separate
extern "C" __global__ void norms(const float4 *p, float *y, int n)
//                               ^^^^^^^^^^^^^^^ separate: its fields are accessed as one array of numbers
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *q = (const float *)p;
    for (int k = 0; k < 4; ++k)
        y[i] += q[4 * i + k] * q[4 * i + k];
}
