// tbr, runs in
__global__ void walking_index(const float *x, const int *next, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // runs in: forward
    int at = i;  // runs in: forward
    int far = 0;  // runs in: forward
    float s = 1.0f;  // runs in: forward
    for (int k = 0; k < 8; ++k) {  // runs in: forward
        s *= x[at] + x[far];  // tbr: s (recorded), at (recorded), far (inverted), x[at] (reloaded), x[far] (reloaded)   runs in: forward
        at = next[at];  // runs in: forward
        far += 2;  // runs in: forward
    }
    y[i] = s;  // tbr: i   runs in: neither sweep
}
