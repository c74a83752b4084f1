// ADBench's hand, second kernel: the position of each vertex, blended from the bones' transformations, mirrored
// for a left hand, scaled, turned and moved. A thread is one vertex.
#define BONES 22

// s2sad: --of position --wrt transform,theta
extern "C" __global__ void hand_skin(const double *__restrict__ transform, const double *__restrict__ theta,
                                     const double *__restrict__ weight, const double *__restrict__ rest,
                                     double *__restrict__ position, int vertices, int mirrored)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices)
        return;
    double p[3] = {0.0, 0.0, 0.0};
    for (int b = 0; b < BONES; ++b) {
        const double *m = transform + 12 * b;
        const double w = weight[v * BONES + b];
        for (int r = 0; r < 3; ++r)
            p[r] += w * (m[4 * r] * rest[3 * v] + m[4 * r + 1] * rest[3 * v + 1] + m[4 * r + 2] * rest[3 * v + 2]
                         + m[4 * r + 3]);
    }
    if (mirrored)
        p[0] = -p[0];

    // the hand's rotation, by the formula of Rodrigues
    const double norm = sqrt(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]);
    double x = p[0], y = p[1], z = p[2];
    if (norm >= 1e-4) {
        const double ax = theta[0] / norm, ay = theta[1] / norm, az = theta[2] / norm;
        const double c = cos(norm), s = sin(norm);
        const double along = (ax * p[0] + ay * p[1] + az * p[2]) * (1.0 - c);
        x = p[0] * c + (ay * p[2] - az * p[1]) * s + ax * along;
        y = p[1] * c + (az * p[0] - ax * p[2]) * s + ay * along;
        z = p[2] * c + (ax * p[1] - ay * p[0]) * s + az * along;
    }
    position[3 * v] = x + theta[3];
    position[3 * v + 1] = y + theta[4];
    position[3 * v + 2] = z + theta[5];
}
