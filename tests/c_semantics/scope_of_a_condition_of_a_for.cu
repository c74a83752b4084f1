// [stmt.for]: a declaration in the condition hides nothing of the head but lives in one iteration.
extern "C" __global__ void scope_of_a_condition_of_a_for(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; int left = 3 - k; ++k) {
        s = sinf(s) * x[left] + s * x[k];
        left = 0;
        s += left;
    }
    y[i] = s;
}
