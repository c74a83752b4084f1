// Functions whose pointers aren't const and are only read through: such a call may stand beside what reads the same array.
// s2sad: --of y --wrt u,table
struct Table {
    float slope[4];
    float rows[2][3];
};
typedef struct Table *table_t;

__device__ float doubled(float *u, int i)
{
    float v = u[i];
    return 2.0f * v;
}

__device__ float curved(float *u, int i)
{
    return u[i - 1] - doubled(u, i) + u[i + 1];
}

template <typename T>
__device__ T mean(T *u, int i)
{
    T s = u[i] * u[i];
    return 0.5f * (s + u[i + 1]);
}

__device__ float energy(const int *kind, int i, table_t p)
{
    float e = p->slope[kind[i]];
    if (kind[i] > 1)
        e *= p->rows[1][0] + doubled(p->slope, 0);
    return e;
}

__device__ float2 turned(float2 p, float *row)
{
    return make_float2(row[0] * p.x + row[1] * p.y, row[2] * p.x);
}

extern "C" __global__ void only_read(float *u, float *y, const int *kind, table_t table, float h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        y[i] = u[i] + h * curved(u, i) + mean(u, i);
        y[i] *= u[i] + energy(kind, i, table);
        float2 v = turned(make_float2(u[i], h), &table->rows[kind[i] % 2][0]);
        y[i] += v.x * v.y;
    }
}
