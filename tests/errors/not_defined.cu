__device__ float hidden(float v);
//               ^^^^^^ not-defined: declared here

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = hidden(x[i]);
}
