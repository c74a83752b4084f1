// help: store each thread's value in an element of its own
// s2sad: --of squares --wrt x
// each thread's value in an element of its own
extern "C" __global__ void square(const float *x, float *squares, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        squares[i] = x[i] * x[i];
}
