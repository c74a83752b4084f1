// s2sad: --of y --wrt x,f
// Matrices that return pointers to their rows, of two kinds of storage, and an array that returns its beginning.
template <int N>
struct Square {
    float m[N][N];
    __device__ float *operator[](int i) { return m[i]; }
    __device__ const float *operator[](int i) const { return m[i]; }
};

struct Flat {
    float v[9];
    __device__ float *row(int i) { return v + 3 * i; }
    __device__ const float *row(int i) const { return &v[3 * i]; }
    __device__ float *begin() { return v; }
};

__device__ Flat product(const Square<3> &a, const Square<3> &b)
{
    Flat r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            r.row(i)[j] = 0.0f;
            for (int k = 0; k < 3; ++k)
                r.row(i)[j] += a[i][k] * b[k][j];
        }
    return r;
}

extern "C" __global__ void row_pointers(const float *x, const float *f, float *y, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    Square<3> a;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a[i][j] = x[9 * t + 3 * i + j] * f[i];
    Flat p = product(a, a);
    *p.begin() *= p.begin()[1];
    int k = 0;
    a[k++][2] *= p.row(2)[1];
    y[t] = p.row(0)[0] * p.row(k)[2] + a[0][2];
}
