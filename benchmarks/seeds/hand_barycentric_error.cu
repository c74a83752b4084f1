// ADBench's hand, last kernel of the complicated case: the distance of each observed point to a point of a
// triangle, given by two barycentric coordinates. A thread is one point.
// s2sad: --of error --wrt position,us
extern "C" __global__ void hand_barycentric_error(const double *__restrict__ observed,
                                                  const int *__restrict__ triangle_of,
                                                  const int *__restrict__ triangles,
                                                  const double *__restrict__ position,
                                                  const double *__restrict__ us, double *__restrict__ error, int points)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points)
        return;
    const int *corner = triangles + 3 * triangle_of[i];
    const double u = us[2 * i], v = us[2 * i + 1];
    for (int k = 0; k < 3; ++k) {
        const double on = u * position[3 * corner[0] + k] + v * position[3 * corner[1] + k]
                          + (1.0 - u - v) * position[3 * corner[2] + k];
        error[3 * i + k] = observed[3 * i + k] - on;
    }
}
