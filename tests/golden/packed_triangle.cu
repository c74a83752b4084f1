// s2sad: --of y --wrt x,w
// Normal equations, their triangle packed: a position is counted in the head of a loop beside its counter.
extern "C" __global__ void packed_triangle(const float *x, const float *w, float *y, int n, int rows)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float A[6] = {0.0f};
    for (int p = 0; p < rows; ++p) {
        const float u = x[p * n + t];
        const float f[3] = {1.0f, u, u * u};
        for (int i = 0, at = 0; i < 3; ++i)
            for (int j = i; j < 3; ++j, ++at)
                A[at] += f[i] * f[j] * w[p];
    }
    y[t] = A[0] * A[3] - A[1] * A[1] + A[2] * A[5] + sinf(A[4]);
}
