typedef float real;
extern "C" __global__ void name_of_a_typedef(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    real real_ = x[i];
    float real = real_ * real_;
    y[i] = real * 2.0f;
}
