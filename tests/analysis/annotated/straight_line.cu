// active, tbr, runs in
__global__ void straight_line(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // runs in: forward
    if (i >= n)
        return;
    float a = w[i] * 2.0f;  // runs in: forward
    float s = x[i] * a;  // active: s   tbr: a, i   runs in: forward
    float t = s + 1.0f;  // active: t   runs in: forward
    float unused = x[i] + a;
    y[i] = s * t;  // tbr: t, s, i   runs in: neither sweep
}
