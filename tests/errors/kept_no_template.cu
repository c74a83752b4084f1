// s2sad: --of y --wrt x --keep-template
extern "C" __global__ void plain(const float *x, float *y)
//                         ^^^^^ kept-template: its template
{
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}
