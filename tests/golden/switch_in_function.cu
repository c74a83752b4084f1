// s2sad: --of y --wrt x
// A switch in a function that is written into the kernel: each segment ends where it did.
__device__ void fold(const float *v, float &acc, int q)
{
    for (int j = 0; j < 4; ++j) {
        switch ((q + j) % 4) {
        case 0:
            acc += v[j] * v[j];
            break;
        case 1:
            acc *= v[j];
            break;
        case 2:
            acc = sinf(acc);
        default:
            acc += 0.1f * v[j];
        }
    }
}

__global__ void switch_in_function(const float *x, float *y, const int *kind, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float acc = 0.5f;
    fold(x + 4 * i, acc, kind[i]);
    y[i] = acc;
}
