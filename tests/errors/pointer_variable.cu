extern "C" __global__ void row(const float *x, float *y, int n)
{
    const float *line = x + n * blockIdx.x;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pointer-variable: pointers are parameters of the kernel only, for now
    y[threadIdx.x] = line[threadIdx.x];
}
