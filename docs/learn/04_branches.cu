// s2sad: --of y --wrt x,t
// Soft thresholding: what is smaller than t becomes zero, the rest moves towards zero. Then the square.
extern "C" __global__ void shrink(const float *x, const float *t, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        if (s > t[i])
            s = s - t[i];
        else if (s < -t[i])
            s = s + t[i];
        else
            s = 0.0f;
        y[i] = s * s;
    }
}
