// Image warping: an image seen through a homography, with Catmull-Rom interpolation and a soft exposure curve.
// After R. Hartley and A. Zisserman, "Multiple View Geometry", chapter 2, and R. Keys, "Cubic convolution
// interpolation for digital image processing", IEEE Trans. ASSP 29 (1981).
#include "mat3.cuh"

// The four weights of Keys' kernel (a = -1/2) at a fraction t between the second and the third point.
__device__ __forceinline__ float4 catmull_rom(float t)
{
    const float t2 = t * t, t3 = t2 * t;
    return make_float4(0.5f * (-t3 + 2.0f * t2 - t), 0.5f * (3.0f * t3 - 5.0f * t2 + 2.0f),
                       0.5f * (-3.0f * t3 + 4.0f * t2 + t), 0.5f * (t3 - t2));
}

__device__ float row_of(const float *row, int x, float4 w, int width)
{
    return w.x * row[clamp(x - 1, 0, width - 1)] + w.y * row[clamp(x, 0, width - 1)] +
           w.z * row[clamp(x + 1, 0, width - 1)] + w.w * row[clamp(x + 2, 0, width - 1)];
}

// s2sad: --of out --wrt image,h,exposure
extern "C" __global__ void homography(const float *__restrict__ image, float *__restrict__ out, const Mat3 h,
                                      float exposure, int width, int height)
{
    const int px = blockIdx.x * blockDim.x + threadIdx.x;
    const int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;

    const float3 q = h * make_float3(px + 0.5f, py + 0.5f, 1.0f);
    float value = 0.0f;
    if (q.z > 1e-6f) {  // in front of the camera
        const float x = q.x / q.z - 0.5f, y = q.y / q.z - 0.5f;
        const int x0 = (int)floorf(x), y0 = (int)floorf(y);
        const float4 wx = catmull_rom(x - x0), wy = catmull_rom(y - y0);
        value = wy.x * row_of(image + clamp(y0 - 1, 0, height - 1) * width, x0, wx, width) +
                wy.y * row_of(image + clamp(y0, 0, height - 1) * width, x0, wx, width) +
                wy.z * row_of(image + clamp(y0 + 1, 0, height - 1) * width, x0, wx, width) +
                wy.w * row_of(image + clamp(y0 + 2, 0, height - 1) * width, x0, wx, width);
    }
    out[py * width + px] = 1.0f - expf(-exposure * value);
}
