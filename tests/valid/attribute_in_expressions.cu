extern "C" __global__ void attribute_in_expressions(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at[4] = {0, 1, 2, 3};
    auto f = [](int v) { return v; };
    int ids[2] = {1, 2};
    y[i] = x[at[ids[1]]] * x[ids[f(0)]] * x[i];
}
