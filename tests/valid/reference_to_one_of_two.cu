// refused: not-supported
template <class T> __device__ const T &larger(const T &a, const T &b) { return a < b ? b : a; }
extern "C" __global__ void reference_to_one_of_two(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i], t = 2.0f * x[i];
    const float &most = larger(s, t);
    s *= 2.0f;
    t *= 3.0f;
    y[i] = most * x[i];
}
