// active, tbr, runs in
__global__ void overwritten(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // runs in: forward
    float s = x[i];  // active: s   tbr: i   runs in: forward
    float t = s * s;  // active: t   tbr: s (copied)   runs in: forward
    s = sinf(t);  // active: s   tbr: t   runs in: forward
    s += 3.0f;  // active: s   runs in: forward
    t = s * x[i + n];  // active: t   tbr: x[i + n] (reloaded), i, n, s   runs in: neither sweep
    y[i] = t;  // tbr: i   runs in: neither sweep
}
