// s2sad: --of y --wrt x,table,gain
__device__ void grow(float2 &v, float by)
{
    v.x *= by;
    v.y += by * v.x;
}

__device__ void prepare(float2 &v, float by)
{
    if (by > 0.0f)
        return grow(v, by);
    v.x += 1.0f;
    return grow(v, 0.5f);
}

__device__ float2 find(const float *table, float2 v, int kind)
{
    for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < 2; ++j)
            if (v.x > table[2 * k + j])
                return make_float2(v.x * table[k], v.y);
        switch (kind) {
        case 1:
            return make_float2(v.y * v.y, v.x);
        case 2:
            v.x = sinf(v.x);
            break;
        default:
            v.y *= table[k];
        }
        v.x *= 1.5f;
    }
    return make_float2(v.y, v.x * v.y);
}

extern "C" __global__ void kernel(const float2 *x, const float *table, const float *gain, const int *kind, float2 *y,
                                  int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 v = x[i];
        prepare(v, gain[i]);
        y[i] = find(table, v, kind[i]);
    }
}
