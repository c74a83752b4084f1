// s2sad: --of y --wrt p,p_x --separate
extern "C" __global__ void scale(const float2 *p, const float *p_x, float *y, int n)
//                                                ^^^^^^^^^^^^^^^^ name-taken: already has that name
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = p[i].x * p[i].y * p_x[i];
}
