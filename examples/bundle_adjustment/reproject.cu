// Bundle adjustment: where does each camera see a point, compared with where it was seen?
// A camera: rotation vector, centre, focal length, principal point, two coefficients of radial distortion.
#define CAMERA 11
extern "C" __global__ void reproject(const double *cameras, const double *points, const double *weights,
                                     const int *camera_of, const int *point_of, const double *seen,
                                     double *error, double *weight_error, int observations)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= observations)
        return;
    const double *camera = cameras + CAMERA * camera_of[i];
    const double *point = points + 3 * point_of[i];

    // the point from the camera's centre, rotated (Rodrigues); "sine" is over the angle
    double x = point[0] - camera[3], y = point[1] - camera[4], z = point[2] - camera[5];
    double rx = camera[0], ry = camera[1], rz = camera[2];
    double square = rx * rx + ry * ry + rz * rz;
    double cosine = 1.0, sine = 1.0, along = 0.0;
    if (square > 0.0) {
        double angle = sqrt(square);
        cosine = cos(angle);
        sine = sin(angle) / angle;
        along = (rx * x + ry * y + rz * z) * (1.0 - cosine) / square;
    }
    double px = x * cosine + (ry * z - rz * y) * sine + rx * along;
    double py = y * cosine + (rz * x - rx * z) * sine + ry * along;
    double pz = z * cosine + (rx * y - ry * x) * sine + rz * along;

    // its image, distorted along the radius
    double u = px / pz, v = py / pz;
    double radius2 = u * u + v * v;
    double scale = camera[6] * (1.0 + camera[9] * radius2 + camera[10] * radius2 * radius2);
    double w = weights[i];
    error[2 * i] = w * (scale * u + camera[7] - seen[2 * i]);
    error[2 * i + 1] = w * (scale * v + camera[8] - seen[2 * i + 1]);
    weight_error[i] = 1.0 - w * w;
}
