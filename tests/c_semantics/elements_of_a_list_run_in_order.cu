// [dcl.init.list]: what stands in braces is evaluated from the left.
extern "C" __global__ void elements_of_a_list_run_in_order(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i];
    float v[3] = {x[k++], x[k++] * s, x[k]};
    int w[2] = {k++, k};
    float2 p = {x[w[0]], x[k++]};
    s = sinf(s) * v[0] + v[1] * v[2];
    s *= p.x + p.y * x[k];
    y[i] = s * x[w[1]];
}
