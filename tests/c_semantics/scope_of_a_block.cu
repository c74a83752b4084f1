// [basic.scope]: a block's variable hides the outer one, of another type too.
extern "C" __global__ void scope_of_a_block(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float t = s * x[1];
    {
        int t = m[i];
        s = sinf(s) * x[t];
        {
            double t = s * 2.0;
            s += t * t;
        }
        t += 2;
        s *= x[t];
    }
    t *= s;
    {
        float s = t * t;
        t += s * x[2];
    }
    y[i] = s * t;
}
