// s2sad: --of y --wrt x
struct Cell {
    float a;
};

__device__ float biased(const float *bias, float v, int i)
{
    return bias != nullptr ? v * bias[i] : v;
}

__device__ Cell fired(const float *bias, Cell cell, int i)
{
    cell.a = biased(bias, cell.a, i);
//                  ^^^^ not-supported: not differentiated yet
    return cell;
}

__global__ void null_handed_on(const float *x, const float *bias, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Cell cell = {x[i]};
    cell = fired(i % 3 != 0 ? bias : nullptr, cell, i);
    y[i] = cell.a;
}
