// s2sad: --of y --wrt x,a
// Two counted loops whose bounds only the launch knows: a tape for every step of both.
extern "C" __global__ void two_level_tape(const float *x, const float *a, float *y, int n, int outer, int inner)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int t = 0; t < outer; ++t) {
        for (int k = 0; k < inner; ++k)
            s = s + a[k] * sinf(s * (t + 1));
        s = s * s * 0.5f;
    }
    y[i] = s;
}
