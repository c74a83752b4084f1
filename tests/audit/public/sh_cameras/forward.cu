// The brightness of each splat from each camera: spherical harmonics up to degree one, in the direction of view.
__global__ void shade(int cameras, int splats, const float *__restrict__ mean, const float *__restrict__ eye,
                      const float *__restrict__ sh, float *__restrict__ bright)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cameras * splats)
        return;
    int c = i / splats, s = i % splats;
    float x = mean[3 * s] - eye[3 * c], y = mean[3 * s + 1] - eye[3 * c + 1], z = mean[3 * s + 2] - eye[3 * c + 2];
    float r = rsqrtf(x * x + y * y + z * z);
    bright[i] = 0.2820948f * sh[4 * s] +
                0.4886025f * r * (z * sh[4 * s + 2] - y * sh[4 * s + 1] - x * sh[4 * s + 3]);
}
