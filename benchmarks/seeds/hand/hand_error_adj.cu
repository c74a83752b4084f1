// Adjoint of hand_error: the vertices' adjoints are gathered from all points that use them, by atomics.
extern "C" __global__ void hand_error_adj(const double *__restrict__ observed, const int *__restrict__ vertex_of,
                                          const double *__restrict__ position, double *__restrict__ adj_position,
                                          double *__restrict__ error, const double *__restrict__ adj_error, int points)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points)
        return;
    double *adj_vertex = adj_position + 3 * vertex_of[i];
    for (int k = 0; k < 3; ++k)
        atomicAdd(&adj_vertex[k], -adj_error[3 * i + k]);
}
