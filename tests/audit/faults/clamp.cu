// A weight times a value that is held within bounds.
extern "C" __global__ void clamp(int n, const float *x, const float *w, float lo, float hi, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = w[i] * fminf(fmaxf(x[i], lo), hi);
}
