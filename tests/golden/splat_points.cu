// s2sad: --of pixel --wrt px,colour --assume launch:1d
// Each point is splatted onto the pixels around it.
#define RADIUS 2

extern "C" __global__ void splat_points(const float *px, const float *colour, float *pixel, int points, int width)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= points)
        return;
    int centre = (int)floorf(px[p]);
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        int j = centre + k;
        if (j < 0 || j >= width)
            continue;
        float d = px[p] - j;
        float weight = expf(-0.5f * d * d);
        atomicAdd(&pixel[j], weight * colour[p]);
    }
}
