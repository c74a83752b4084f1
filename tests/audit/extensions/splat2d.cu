// Gaussians composited front to back over an image, one thread per pixel, with vectors as in glm.
#include <torch/extension.h>
#include <glm/glm.hpp>
#include <cooperative_groups.h>

namespace glm {
template <int L, typename T> struct vec;
template <typename T> struct vec<2, T> {
    T x, y;
    __host__ __device__ vec() : x(0), y(0) {}
    __host__ __device__ vec(T x, T y) : x(x), y(y) {}
    __host__ __device__ T &operator[](int i) { return (&x)[i]; }
    __host__ __device__ const T &operator[](int i) const { return (&x)[i]; }
};
template <typename T> struct vec<3, T> {
    T x, y, z;
    __host__ __device__ vec() : x(0), y(0), z(0) {}
    __host__ __device__ explicit vec(T s) : x(s), y(s), z(s) {}
    __host__ __device__ vec(T x, T y, T z) : x(x), y(y), z(z) {}
    __host__ __device__ T &operator[](int i) { return (&x)[i]; }
    __host__ __device__ const T &operator[](int i) const { return (&x)[i]; }
};
typedef vec<2, float> vec2;
typedef vec<3, float> vec3;

template <int L, typename T> __host__ __device__ vec<L, T> operator*(T s, const vec<L, T> &v)
{
    vec<L, T> r;
    for (int i = 0; i < L; ++i)
        r[i] = s * v[i];
    return r;
}
template <int L, typename T> __host__ __device__ vec<L, T> operator+(const vec<L, T> &a, const vec<L, T> &b)
{
    vec<L, T> r;
    for (int i = 0; i < L; ++i)
        r[i] = a[i] + b[i];
    return r;
}
template <int L, typename T> __host__ __device__ vec<L, T> operator-(const vec<L, T> &a, const vec<L, T> &b)
{
    return a + T(-1) * b;
}
template <int L, typename T> __host__ __device__ T dot(const vec<L, T> &a, const vec<L, T> &b)
{
    T sum = 0;
    for (int i = 0; i < L; ++i)
        sum += a[i] * b[i];
    return sum;
}
}  // namespace glm

// The inverse covariance (a, b, c) and the opacity.
__forceinline__ __device__ float exponent(const glm::vec2 &d, const float4 &conic)
{
    return -0.5f * (conic.x * d.x * d.x + conic.z * d.y * d.y) - conic.y * d.x * d.y;
}

template <uint32_t CHANNELS>
__global__ void __launch_bounds__(64) renderCUDA(int P, int W, int H, const glm::vec2 *__restrict__ means2D,
                                                const float4 *__restrict__ conic_opacity,
                                                const float *__restrict__ colors, glm::vec3 background,
                                                float *__restrict__ final_T, uint32_t *__restrict__ n_contrib,
                                                float *__restrict__ out_color)
{
    const uint2 pix = {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y};
    if (pix.x >= W || pix.y >= H)
        return;
    const uint32_t pix_id = W * pix.y + pix.x;
    float T = 1.0f, C[CHANNELS] = {0};
    uint32_t last = 0;
    for (int j = 0; j < P; ++j) {
        const glm::vec2 d = means2D[j] - glm::vec2((float)pix.x, (float)pix.y);
        const float power = exponent(d, conic_opacity[j]);
        if (power > 0.0f)
            continue;
        const float alpha = min(0.99f, conic_opacity[j].w * exp(power));
        if (alpha < 1.0f / 255.0f)
            continue;
        for (int ch = 0; ch < CHANNELS; ++ch)
            C[ch] += colors[j * CHANNELS + ch] * alpha * T;
        T = T * (1.0f - alpha);
        last = j + 1;
    }
    final_T[pix_id] = T;
    n_contrib[pix_id] = last;
    for (int ch = 0; ch < CHANNELS; ++ch)
        out_color[ch * H * W + pix_id] = C[ch] + T * background[ch];
}

template <uint32_t C>
__global__ void __launch_bounds__(64) renderBackwardCUDA(
    int P, int W, int H, const glm::vec2 *__restrict__ means2D, const float4 *__restrict__ conic_opacity,
    const float *__restrict__ colors, glm::vec3 background, const float *__restrict__ final_Ts,
    const uint32_t *__restrict__ n_contrib, const float *__restrict__ dL_dpixels,
    glm::vec2 *__restrict__ dL_dmean2D, float4 *__restrict__ dL_dconic2D, float *__restrict__ dL_dcolors)
{
    const uint2 pix = {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y};
    if (pix.x >= W || pix.y >= H)
        return;
    const uint32_t pix_id = W * pix.y + pix.x;
    float T = final_Ts[pix_id];
    float behind[C], dL_dpixel[C];
    for (int ch = 0; ch < C; ++ch) {
        dL_dpixel[ch] = dL_dpixels[ch * H * W + pix_id];
        behind[ch] = background[ch];
    }
    for (int j = (int)n_contrib[pix_id] - 1; j >= 0; --j) {
        const glm::vec2 d = means2D[j] - glm::vec2((float)pix.x, (float)pix.y);
        const float4 con_o = conic_opacity[j];
        const float power = exponent(d, con_o);
        if (power > 0.0f)
            continue;
        const float G = exp(power), alpha = min(0.99f, con_o.w * G);
        if (alpha < 1.0f / 255.0f)
            continue;
        T = T / (1.0f - alpha);
        float dL_dalpha = 0.0f;
        for (int ch = 0; ch < C; ++ch) {
            const float color = colors[j * C + ch];
            dL_dalpha += (color - behind[ch]) * T * dL_dpixel[ch];
            behind[ch] = alpha * color + (1.0f - alpha) * behind[ch];
            atomicAdd(&dL_dcolors[j * C + ch], alpha * T * dL_dpixel[ch]);
        }
        if (con_o.w * G > 0.99f)
            continue;
        const float dL_dpower = con_o.w * G * dL_dalpha;
        atomicAdd(&dL_dmean2D[j].x, -(con_o.x * d.x + con_o.y * d.y) * dL_dpower);
        atomicAdd(&dL_dmean2D[j].y, -(con_o.z * d.y + con_o.y * d.x) * dL_dpower);
        atomicAdd(&dL_dconic2D[j].x, -0.5f * d.x * d.x * dL_dpower);
        atomicAdd(&dL_dconic2D[j].y, -d.x * d.y * dL_dpower);
        atomicAdd(&dL_dconic2D[j].z, -0.5f * d.y * d.y * dL_dpower);
        atomicAdd(&dL_dconic2D[j].w, G * dL_dalpha);
    }
}

void render(int P, int W, int H, const float2 *means2D)
{
    const dim3 grid((W + 7) / 8, (H + 7) / 8), block(8, 8);
    renderCUDA<3><<<grid, block>>>(P, W, H, (glm::vec2 *)means2D);
    renderBackwardCUDA<3><<<grid, block>>>(P, W, H, (glm::vec2 *)means2D);
}
