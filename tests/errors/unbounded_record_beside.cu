// command: --of u --wrt u
extern "C" __global__ void settle(float *u, const int *which, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    while (u[2 * i] > 0.2f)
//  ^^^^^^^^^^^^^^^^^^^^^^^ unbounded-record: the number of iterations is known only while it runs
        u[2 * i] = 0.5f * u[2 * i] * u[2 * i + which[i]];
}
