// Each thread blends two entries of a table of its own, kept in shared memory; those past the end have returned.
// s2sad: --of y --wrt x
#define ENTRIES 4

extern "C" __global__ void private_columns(const float *x, float *y, int first, int n)
{
    extern __shared__ float table[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    for (int k = 0; k < ENTRIES; ++k)
        table[k * blockDim.x + t] = x[i * ENTRIES + k];
    int j = first % ENTRIES;
    int next = (j + 1) % ENTRIES;
    y[i] = sinf(table[j * blockDim.x + t]) * table[next * blockDim.x + t];
}
