// Bundle adjustment: the weighted error of each observation of a point by a camera, and the error of its weight.
// A camera is a rotation (3), its centre (3), the focal length, the principal point (2), two radial coefficients.
#define CAMERA 11

// s2sad: --of error --of weight_error --wrt cameras,points,weights
extern "C" __global__ void ba(const double *__restrict__ cameras, const double *__restrict__ points,
                              const double *__restrict__ weights, const int *__restrict__ camera_of,
                              const int *__restrict__ point_of, const double *__restrict__ features,
                              double *__restrict__ error, double *__restrict__ weight_error, int observations)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= observations)
        return;
    const double *camera = cameras + CAMERA * camera_of[i];
    const double *point = points + 3 * point_of[i];

    // Rodrigues' rotation of the point, seen from the camera's centre
    const double x = point[0] - camera[3], y = point[1] - camera[4], z = point[2] - camera[5];
    const double theta2 = camera[0] * camera[0] + camera[1] * camera[1] + camera[2] * camera[2];
    double rx, ry, rz;
    if (theta2 != 0.0) {
        const double theta = sqrt(theta2), c = cos(theta), s = sin(theta);
        const double ax = camera[0] / theta, ay = camera[1] / theta, az = camera[2] / theta;
        const double along = (ax * x + ay * y + az * z) * (1.0 - c);
        rx = x * c + (ay * z - az * y) * s + ax * along;
        ry = y * c + (az * x - ax * z) * s + ay * along;
        rz = z * c + (ax * y - ay * x) * s + az * along;
    } else {
        rx = x + camera[1] * z - camera[2] * y;
        ry = y + camera[2] * x - camera[0] * z;
        rz = z + camera[0] * y - camera[1] * x;
    }

    const double u = rx / rz, v = ry / rz;
    const double r2 = u * u + v * v;
    const double radial = 1.0 + camera[9] * r2 + camera[10] * r2 * r2;
    const double w = weights[i];
    error[2 * i] = w * (u * radial * camera[6] + camera[7] - features[2 * i]);
    error[2 * i + 1] = w * (v * radial * camera[6] + camera[8] - features[2 * i + 1]);
    weight_error[i] = 1.0 - w * w;
}
