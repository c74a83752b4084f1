template <int N> __device__ float power(float v)
{
    float r = 1.0f;
    for (int k = 0; k < N; ++k)
        r *= v;
    return r;
}
template <class T> __device__ T cast(int v) { return T(v); }
template <typename T, int N = 4> struct Box {
    T v[N];
    __device__ T sum() const { return v[0] + v[N - 1]; }
};
template <typename T> constexpr T twice = T(2);
template <typename T> __device__ T larger(const T &a, const T &b) { return a > b ? a : b; }
template <> __device__ float larger<float>(const float &a, const float &b) { return a < b ? b * 1.0f : a * a; }
extern "C" __global__ void templates(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = power<3>(x[i]) * cast<float>(2) * Box<float, 2>{{x[i], x[i]}}.sum() * twice<float> * larger(x[i], 1.0f);
}
