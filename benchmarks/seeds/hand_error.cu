// ADBench's hand, last kernel: the distance of each observed point to its vertex. A thread is one point.
// s2sad: --of error --wrt position
extern "C" __global__ void hand_error(const double *__restrict__ observed, const int *__restrict__ vertex_of,
                                      const double *__restrict__ position, double *__restrict__ error, int points)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points)
        return;
    for (int k = 0; k < 3; ++k)
        error[3 * i + k] = observed[3 * i + k] - position[3 * vertex_of[i] + k];
}
