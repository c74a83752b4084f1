extern "C" __global__ void declarators(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i], *p = y + i, v[2] = {a, a}, &r = a, (b) = a, *const q = &v[1];
    int (*rows)[2], j;
    int grid[2][2] = {{1, 2}, {3, 4}};
    rows = grid;
    j = rows[1][1];
    *p = r * v[1] * b * *q * j;
}
