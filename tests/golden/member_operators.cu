// s2sad: --of y --wrt x,f
// Operators that are templates in their class: products of matrices whose sizes must fit, a scaling by any number.
template <int N, int M>
struct Mat {
    float v[N * M];
    __device__ float operator()(int i, int j) const { return v[i * M + j]; }
    __device__ float square(int i, int j) const { return (*this)(i, j) * (*this)(i, j); }
    template <int K>
    __device__ Mat<N, K> operator*(const Mat<M, K> &o) const
    {
        Mat<N, K> r;
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < K; ++j) {
                float s = square(i, j) * 0.1f;
                for (int k = 0; k < M; ++k)
                    s += v[i * M + k] * o(k, j);
                r.v[i * K + j] = s;
            }
        return r;
    }
    template <typename T>
    __device__ Mat &operator*=(T scale)
    {
        for (int i = 0; i < N * M; ++i)
            this->v[i] *= scale;
        return *this;
    }
};

extern "C" __global__ void member_operators(const float *x, const float *f, float *y, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    Mat<2, 3> a;
    Mat<3, 2> b;
    for (int i = 0; i < 6; ++i)
        a.v[i] = f[i];
    for (int i = 0; i < 6; ++i)
        b.v[i] = x[6 * t + i];
    b *= b.v[0];
    Mat<2, 2> c = a * b;
    c *= 2;
    y[t] = c(0, 0) * c(1, 1);
}
