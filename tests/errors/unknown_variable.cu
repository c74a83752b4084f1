extern "C" __global__ void scale(const float *x, float *y, float factor)
{
    int i = threadIdx.x;
    y[i] = facter * x[i];
//         ^^^^^^ unknown-name: no such name here; did you mean `factor`?
}
