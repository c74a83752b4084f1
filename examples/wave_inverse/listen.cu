// Writes what the receivers hear in step t.
// s2sad: --of trace --wrt u
extern "C" __global__ void listen(const double *u, const int *receivers, double *trace, int t, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        trace[t * count + i] = u[receivers[i]];
}
