// s2sad: --of y --wrt x,idx,n
extern "C" __global__ void gather(const float *x, const int *idx, float *y, int n)
//                                                ^^^^^^^^^^^^^^ not-floating: only float and double carry derivatives
//                                                                          ^^^^^ not-floating: only float and double carry derivatives
{
    y[threadIdx.x] = x[idx[threadIdx.x] % n];
}
