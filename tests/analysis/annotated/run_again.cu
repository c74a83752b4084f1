// tbr, runs in
__global__ void run_again(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // runs in: forward
    float u = x[i];  // tbr: i   runs in: forward
    float w = 1.0f;  // runs in: forward
    while (u > 0.2f) {  // runs in: forward
        u *= 0.7f - 0.05f * w;  // tbr: u (run again), w (run again)   runs in: forward, reversed iterations of line 7
        w = sinf(w) * u;  // tbr: w (run again), u   runs in: forward, reversed iterations of line 7
    }
    y[i] = u * w;  // tbr: w, u, i   runs in: neither sweep
}
