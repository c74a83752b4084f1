// Adjoint of hand_barycentric_error: the corners' adjoints are gathered from all points on their triangles, by
// atomics; a point's coordinates are its thread's own. `g` is the adjoint of the point on the triangle.
extern "C" __global__ void hand_barycentric_error_adj(const double *__restrict__ observed,
                                                      const int *__restrict__ triangle_of,
                                                      const int *__restrict__ triangles,
                                                      const double *__restrict__ position,
                                                      double *__restrict__ adj_position,
                                                      const double *__restrict__ us, double *__restrict__ adj_us,
                                                      double *__restrict__ error,
                                                      const double *__restrict__ adj_error, int points)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points)
        return;
    const int *corner = triangles + 3 * triangle_of[i];
    const int p = 3 * corner[0], q = 3 * corner[1], r = 3 * corner[2];
    const double u = us[2 * i], v = us[2 * i + 1];
    double adj_u = 0.0, adj_v = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double g = -adj_error[3 * i + k];
        const double last = position[r + k];
        adj_u += g * (position[p + k] - last);
        adj_v += g * (position[q + k] - last);
        atomicAdd(&adj_position[p + k], u * g);
        atomicAdd(&adj_position[q + k], v * g);
        atomicAdd(&adj_position[r + k], (1.0 - u - v) * g);
    }
    adj_us[2 * i] += adj_u;
    adj_us[2 * i + 1] += adj_v;
}
