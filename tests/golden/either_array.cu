// Pointers into one of two arrays: chosen by `?:`, in both branches of an `if`, in one of them; read, written, moved, handed on.
// s2sad: --of out,left,right --wrt x,z,left,right
__device__ float squared(const float *p, int i)
{
    return p[i] * p[i];
}

__device__ void scale(float *p, int i, float by)
{
    p[i] *= by;
}

extern "C" __global__ void either_array(const float *x, const float *z, float *left, float *right, float *out,
                                        const int *turn, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    const float *p = turn[i] > 1 ? x : z + n;
    const float *row = p + 2 * i;
    float s = 0.0f;
    for (int k = 0; k < 2; ++k)
        s += row[k] * squared(row, k);

    float *to, *from;
    if (turn[i] % 2 == 0) {
        to = left;
        from = right;
    } else {
        s *= 2.0f;
        to = right;
        from = left;
    }
    to[i] = s + from[i];
    from[i] += s * to[i];
    scale(to, i, s);

    const float *walk = x;
    float first = walk[i];
    if (turn[i] == 0)
        walk = z + i;
    for (int k = 0; k < 3; ++k, walk += n)
        first += sinf(*walk);
    out[i] = first * *p;
}
