template <class T> __device__ const T &larger(const T &a, const T &b) { return a < b ? b : a; }
__device__ void mix(const float &in, float &out, float by) { out = out * by + in; }
extern "C" __global__ void reference_to_one_of_two_that_stay(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i], t = 2.0f * x[i] * x[i], u = 1.0f;
    const float &most = larger(s, t);
    const float &other = m[i] > 1 ? s : t;
    mix(m[i] > 2 ? s : t, u, most);
    y[i] = most * other * u;
}
