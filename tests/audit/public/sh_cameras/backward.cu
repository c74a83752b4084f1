// A thread for each camera and splat. What openvdb/fvdb-core#434 describes: the threads of all cameras
// store to the coefficients of one splat, so that of several cameras the last one is left.
__global__ void shade_backward(int cameras, int splats, const float *__restrict__ mean,
                               const float *__restrict__ eye, const float *__restrict__ dL_dbright,
                               float *__restrict__ dL_dsh)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cameras * splats)
        return;
    int c = i / splats, s = i % splats;
    float x = mean[3 * s] - eye[3 * c], y = mean[3 * s + 1] - eye[3 * c + 1], z = mean[3 * s + 2] - eye[3 * c + 2];
    float g = dL_dbright[i], first = 0.4886025f * rsqrtf(x * x + y * y + z * z) * g;
    dL_dsh[4 * s + 0] = 0.2820948f * g;
    dL_dsh[4 * s + 1] = -y * first;
    dL_dsh[4 * s + 2] = z * first;
    dL_dsh[4 * s + 3] = -x * first;
}
