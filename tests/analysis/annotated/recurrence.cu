// active, tbr, runs in
__global__ void recurrence(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // runs in: forward
    float s = x[i];  // active: s   tbr: i   runs in: forward
    float sum = 0.0f;  // runs in: forward
    for (int k = 0; k < n; ++k) {  // active: s (after the loop), sum (after the loop)   runs in: forward
        float old = s;  // active: old   runs in: forward, reversed iterations of line 7
        s = sinf(s);  // active: s   tbr: s (recorded)   runs in: forward
        sum += old * x[i * n + k];  // active: sum   tbr: x[i * n + k] (reloaded), i, n, k (regenerated), old   runs in: forward
    }
    y[i] = s * sum;  // tbr: sum, s, i   runs in: neither sweep
}
