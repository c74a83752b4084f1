// s2sad: --of y --wrt x
// Integers that lanes hand each other have no adjoint; the elements that they point to do.
extern "C" __global__ void warp_integers(const float *x, const int *perm, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < n ? perm[i] : 0;
    int next = __shfl_down_sync(0xffffffffu, mine, 1);
    int most = __reduce_max_sync(0xffffffffu, mine);
    unsigned same = __match_any_sync(0xffffffffu, mine % 7);
    if (i < n)
        y[i] = x[next] * x[most] + __popc(same) * x[mine];
}
