// Sphere tracing: one ray for each pixel walks towards a smooth union of balls until it hits.
#define MAX_STEPS 48
#define FAR 8.0f
#define CLOSE 0.01f

__device__ float ball_distance(float x, float y, float z, float radius)
{
    return sqrtf(x * x + y * y + z * z) - radius;
}

// s2sad: --of depth --wrt cx,cy,cz,radius,sharpness
extern "C" __global__ void raymarch(const float *cx, const float *cy, const float *cz, const float *radius,
                                    int balls, float sharpness, float *depth, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height)
        return;

    // The eye is at the origin and looks along z.
    float dx = (column + 0.5f) / width - 0.5f;
    float dy = (row + 0.5f) / height - 0.5f;
    float dz = rsqrtf(dx * dx + dy * dy + 1.0f);
    dx *= dz;
    dy *= dz;

    float t = 0.0f;
    for (int step = 0; step < MAX_STEPS; ++step) {
        float sum = 0.0f;
        for (int b = 0; b < balls; ++b) {
            float d = ball_distance(t * dx - cx[b], t * dy - cy[b], t * dz - cz[b], radius[b]);
            sum += expf(-sharpness * d);
        }
        float distance = -logf(sum) / sharpness;
        if (distance < CLOSE)
            break;
        t += distance;
        if (t > FAR) {
            t = FAR;
            break;
        }
    }
    depth[row * width + column] = t;
}
