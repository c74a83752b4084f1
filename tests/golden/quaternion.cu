// s2sad: --of rx,ry,rz --wrt q,vx,vy,vz
// Turn a vector by a quaternion that is normalised first. Scalars all the way.
extern "C" __global__ void quaternion(const float *q, const float *vx, const float *vy, const float *vz,
                                      float *rx, float *ry, float *rz, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = q[4 * i], b = q[4 * i + 1], c = q[4 * i + 2], d = q[4 * i + 3];
    float norm = sqrtf(a * a + b * b + c * c + d * d);
    a /= norm;
    b /= norm;
    c /= norm;
    d /= norm;
    float x = vx[i], y = vy[i], z = vz[i];
    float tx = 2.0f * (c * z - d * y);
    float ty = 2.0f * (d * x - b * z);
    float tz = 2.0f * (b * y - c * x);
    rx[i] = x + a * tx + (c * tz - d * ty);
    ry[i] = y + a * ty + (d * tx - b * tz);
    rz[i] = z + a * tz + (b * ty - c * tx);
}
