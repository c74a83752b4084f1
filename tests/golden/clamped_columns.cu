// s2sad: --of y,peak --wrt u
// An index clamped before the guard that makes the clamp do nothing; and unsigned addresses under a
// counter that serves several loops, one of which starts and ends where the data says.
__global__ void clamped_columns(const float *u, const int *first, const int *count, float *y, float *peak,
                                int w, int h, int levels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int at = min(i, w - 1) + min(j, h - 1) * w;
    float here = u[at];
    if (i >= w || j >= h)
        return;
    peak[at] = here * u[at];

    int k;
    float sum = 0.0f;
    for (k = first[at]; k < first[at] + count[at]; ++k)
        sum += u[k] * u[k];
    for (int n = 0; n < count[at]; ++n) {
        k = levels - 1;
        y[threadIdx.x + blockIdx.x * blockDim.x + (k * h + j) * w] = sum * here;
        for (k = levels - 2; k >= 0; --k)
            y[threadIdx.x + blockIdx.x * blockDim.x + (k * h + j) * w] = here * (k + 1);
    }
}
