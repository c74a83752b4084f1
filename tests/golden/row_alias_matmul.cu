// s2sad: --of C --wrt A,B
// A small matrix product: each row and column has a pointer of its own.
extern "C" __global__ void row_alias_matmul(const float *__restrict__ A, const float *__restrict__ B,
                                            float *__restrict__ C, int m, int n, int k)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m || j >= n)
        return;
    const float *row = A + i * k;
    const float *column = &B[j];
    float s = 0.0f;
    for (int l = 0; l < k; ++l)
        s += row[l] * column[l * n];
    float *out = C + i * n;
    out[j] = tanhf(s);
}
