// Gaussians in front of each other, composited front to back: a block is a tile of the image, and loads them in batches
#define BLOCK 8
struct Splat { float2 mean; float3 conic; float opacity; float3 color; };
extern "C" __global__ void splat_tiles(const Splat *splats, const int2 *ranges, const int *order, float *image,
                                       float *left, int width, int height, float3 background)
{
    int px = blockIdx.x * BLOCK + threadIdx.x, py = blockIdx.y * BLOCK + threadIdx.y;
    bool inside = px < width && py < height;
    int2 range = ranges[blockIdx.y * gridDim.x + blockIdx.x];
    __shared__ Splat batch[BLOCK * BLOCK];
    bool done = !inside;
    float T = 1.0f;
    float3 C = make_float3(0.0f, 0.0f, 0.0f);
    int rank = threadIdx.y * BLOCK + threadIdx.x;
    for (int start = range.x; start < range.y; start += BLOCK * BLOCK) {
        __syncthreads();
        if (start + rank < range.y)
            batch[rank] = splats[order[start + rank]];
        __syncthreads();
        int count = min(BLOCK * BLOCK, range.y - start);
        for (int j = 0; !done && j < count; ++j) {
            Splat s = batch[j];
            float dx = s.mean.x - px, dy = s.mean.y - py;
            float power = -0.5f * (s.conic.x * dx * dx + s.conic.z * dy * dy) - s.conic.y * dx * dy;
            if (power > 0.0f)
                continue;
            float alpha = fminf(0.99f, s.opacity * expf(power));
            if (alpha < 1.0f / 255.0f)
                continue;
            float next = T * (1.0f - alpha);
            if (next < 0.0001f) {
                done = true;
                continue;
            }
            C.x += s.color.x * alpha * T;
            C.y += s.color.y * alpha * T;
            C.z += s.color.z * alpha * T;
            T = next;
        }
    }
    if (inside) {
        int p = py * width + px;
        left[p] = T;
        image[3 * p] = C.x + T * background.x;
        image[3 * p + 1] = C.y + T * background.y;
        image[3 * p + 2] = C.z + T * background.z;
    }
}
