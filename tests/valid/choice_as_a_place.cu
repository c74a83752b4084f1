extern "C" __global__ void choice_as_a_place(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i], b = x[i + 1];
    (m[i] > 3 ? a : b) *= 3.0f;
    (m[i] > 2 ? b : a) = a * b;
    ++(m[i] & 1 ? a : b);
    y[i] = a * b;
}
