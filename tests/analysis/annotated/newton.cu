// tbr, runs in
__global__ void newton(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // runs in: forward
    float v = x[i];  // tbr: i   runs in: forward
    float r = 1.0f;  // runs in: forward
    for (int k = 0; k < 12; ++k) {  // tbr: dr_dv   runs in: forward
        float step = (r * r - v) / (2.0f * r);  // runs in: forward
        r -= step;  // runs in: forward
        if (fabsf(step) < 1e-4f)  // runs in: forward
            break;  // runs in: forward
    }
    y[i] = r;  // tbr: i   runs in: neither sweep
}
