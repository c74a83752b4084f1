// s2sad: --of y --wrt x
// Numbers one behind the other, read as small matrices: through a pointer, a reference, and a cast.
#define N 3

__device__ float trace(const float *q)
{
    const float (&m)[2][2] = *(const float (*)[2][2])q;
    return m[0][0] + m[1][1];
}

extern "C" __global__ void rows_by_a_cast(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float (*m)[4][N] = (const float (*)[4][N])(x + 12 * i);
    float s = 0.0f;
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < N; ++b)
            s += (*m)[a][b] * m[0][3 - a][b];
    float (*out)[2] = reinterpret_cast<float (*)[2]>(y);
    out[i][0] = s;
    out[i][1] = s * trace(x + 12 * i) + ((const float (*)[N])x)[4 * i + 1][2];
}
