// s2sad: --of y --wrt x
extern "C" __global__ void masks(const float *x, float *y, int n, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = i < n ? x[i] : 0.0f;
    unsigned active = __ballot_sync(0xffffffffu, i < n);
    s += __shfl_xor_sync(active, s, 1);
//       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-mask: the participating lanes are determined at run time
    s += __shfl_up_sync(0x0000ffffu, s, 1);
//       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ partial-mask: it has 16 lanes (0x0000ffff), but segments are 32 lanes wide
    s += __shfl_down_sync(0x00000fffu, s, 1, 8);
//       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ partial-mask: it has 12 lanes (0x00000fff), but segments are 8 lanes wide
    s += __shfl_xor_sync(0xffffffffu, s, n, 16);
//       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-distance: the distance is unknown
    s += __shfl_xor_sync(0xffffffffu, s, 16, 8);
//       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-distance: the distance is up to 16 lanes
    s += __shfl_down_sync(0xffffffffu, s, 1, w);
//       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-distance: the width isn't a literal
    if (i < n)
        y[i] = s;
}
