// [dcl.init.aggr]: an array of a loop's body is filled anew; what its list leaves out is zero.
extern "C" __global__ void lifetime_of_an_array_in_a_loop(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < 3; ++k) {
        float v[4] = {s, x[k]};
        v[2] += v[0] * v[1];
        v[m[i] & 3] += s;
        float w[2] = {};
        w[k & 1] += v[2];
        s = sinf(v[0]) + v[3] * v[1] + w[0] * w[1] + w[0] + v[2];
    }
    y[i] = s;
}
