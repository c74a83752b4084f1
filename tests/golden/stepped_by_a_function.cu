// The steps of loops are calls: of a function that takes a pointer, and of one that does more than count.
// s2sad: --of y --wrt x
__device__ void next(int *q) { *q += 1; }
__device__ void skip(int &q, int &turns)
{
    q += turns % 2 ? 1 : 2;
    ++turns;
}

extern "C" __global__ void stepped_by_a_function(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = 0.0f;
    for (int q = 0; q < 4; next(&q))
        a += x[i] * x[(i + q) % n];
    int turns = 0;
    for (int q = 0; q < 6; skip(q, turns)) {
        if (q == 2)
            continue;
        a *= x[(i + q) % n] + 1.0f;
    }
    y[i] = a;
}
