extern "C" __global__ void block_that_is_its_own_condition(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = ({ int a = m[i]; a ? a : 2; });
    int j = ({ __typeof__(k) b = (k); b && b > 3 ? b : 1; });
    y[i] = x[k] * x[j] * x[i];
}
