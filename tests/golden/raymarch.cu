// s2sad: --of depth --wrt radius,height
// March a ray through the union of a sphere and a wavy floor until it comes close.
#define MAX_STEPS 40

__device__ float sphere(float x, float y, float z, float r)
{
    return sqrtf(x * x + y * y + z * z) - r;
}

__device__ float scene(float x, float y, float z, float r, float h)
{
    float ball = sphere(x, y, z - 3.0f, r);
    float floor_ = y + h + 0.1f * sinf(2.0f * x) * cosf(z);
    return fminf(ball, floor_);
}

extern "C" __global__ void raymarch(const float *radius, const float *height, float *depth,
                                    int width, int rows)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= rows)
        return;
    float u = (px + 0.5f) / width - 0.5f;
    float v = (py + 0.5f) / rows - 0.5f;
    float len = sqrtf(u * u + v * v + 1.0f);
    float dx = u / len, dy = v / len, dz = 1.0f / len;

    float t = 0.0f;
    for (int s = 0; s < MAX_STEPS; ++s) {
        float d = scene(t * dx, t * dy, t * dz, radius[px], height[0]);
        if (d < 1e-3f)
            break;
        t += d;
        if (t > 20.0f) {
            t = 20.0f;
            break;
        }
    }
    depth[py * width + px] = t;
}
