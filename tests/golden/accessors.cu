// s2sad: --of y --wrt x,turn
// Elements of small classes, named by methods that return references.
template <int N> struct Row {
    float e[N];
    __device__ float &operator[](int k) { return e[k]; }
    __device__ const float &operator[](int k) const { return e[k]; }
};

template <int R, int C> class Matrix {
public:
    __device__ Row<C> &row(int r) { return rows_[r]; }
    __device__ float &operator()(int r, int c) { return rows_[r][c]; }

private:
    Row<C> rows_[R];
};

extern "C" __global__ void accessors(const float *x, const float *turn, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Matrix<2, 3> m;
    for (int c = 0; c < 3; ++c) {
        m(0, c) = x[3 * i + c] * turn[c];
        m.row(1)[c] = sinf(m(0, c));
    }
    m(1, 2) *= m(0, n % 3);
    Row<2> sums = {0.0f, 1.0f};
    for (int k = 0; k < 2; ++k)
        for (int c = 0; c < 3; ++c)
            sums[k] = sums[k] * 0.5f + m(k, c) * m.row(k)[2];
    y[i] = sums[0] * sums[1];
}
