// active, tbr
__global__ void branches(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];  // active: v   tbr: i
    float s = 1.0f;
    if (v > 0.5f)  // active: s (either branch), v (either branch)
        s = v * v;  // active: s   tbr: v (copied)
    else if (v < -0.5f)  // active: v (either branch)
        v = s * 2.0f;
    y[i] = s * v;  // tbr: v, s, i
}
