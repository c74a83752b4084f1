// s2sad: --of y --wrt x
// Segments of 16 and 8 lanes: sums down, neighbours up, partners across, the first of each.
extern "C" __global__ void warp_width(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = i < n ? x[i] : 0.0;
    double s = v;
    for (int d = 8; d > 0; d >>= 1)
        s += __shfl_down_sync(0xffffffff, s, d, 16);
    double left = __shfl_up_sync(0xffffffff, v, 3, 8);
    double partner = __shfl_xor_sync(0xffffffff, v, 5, 8);
    double head = __shfl_sync(0xffffffff, v, 0, 16);
    if (i < n)
        y[i] = s * v + left * partner - head * head;
}
