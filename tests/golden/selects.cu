// s2sad: --of y --wrt x,w
// `?:` nested and chained; `&&` and `||` guard what must not be read.
extern "C" __global__ void selects(const float *x, const float *w, const int *next, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int j = next[i] - 1;
    float a = j >= 0 && x[j] > 0.0f ? x[j] * w[i] : w[i] * w[i];
    float b = x[i] < -1.0f ? -1.0f : x[i] > 1.0f ? 1.0f : x[i];
    float c = (j < 0 || x[j] < b) ? a * b : a - (b > 0.0f ? b : 2.0f * a);
    y[i] = c * (j < 0 ? 1.0f : w[j]);
}
