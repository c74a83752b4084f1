// Root-mean-square normalisation with four numbers at a time, and a residual that is added first, in place.
#include <torch/all.h>
#include <c10/cuda/CUDAStream.h>

#define WARP_SIZE 32
#define FINAL_MASK 0xffffffff

template <typename T> static __inline__ __device__ T warpReduceSum(T val)
{
#pragma unroll
    for (int mask = WARP_SIZE / 2; mask > 0; mask >>= 1)
        val += __shfl_xor_sync(FINAL_MASK, val, mask, WARP_SIZE);
    return val;
}

template <typename T> static __inline__ __device__ T blockReduceSum(T val)
{
    static __shared__ T shared[WARP_SIZE];
    const int lane = threadIdx.x & 0x1f, wid = threadIdx.x >> 5;
    val = warpReduceSum<T>(val);
    __syncthreads();
    if (lane == 0)
        shared[wid] = val;
    __syncthreads();
    val = lane < (blockDim.x + 31) / WARP_SIZE ? shared[lane] : (T)0.0f;
    return warpReduceSum<T>(val);
}

inline __device__ float4 operator*(const float4 &a, const float4 &b)
{
    return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}
inline __device__ float4 operator*(const float4 &a, float s)
{
    return make_float4(a.x * s, a.y * s, a.z * s, a.w * s);
}
inline __device__ float4 operator+(const float4 &a, const float4 &b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
inline __device__ float sum(const float4 &a) { return a.x + a.y + a.z + a.w; }

__global__ void fused_add_rms_norm_kernel(float *__restrict__ input, float *__restrict__ residual,
                                          const float *__restrict__ weight, const float epsilon,
                                          const int hidden_size)
{
    const int quads = hidden_size / 4;
    float4 *in = reinterpret_cast<float4 *>(input) + blockIdx.x * quads;
    float4 *res = reinterpret_cast<float4 *>(residual) + blockIdx.x * quads;
    const float4 *w = reinterpret_cast<const float4 *>(weight);
    float squares = 0.0f;
    for (int i = threadIdx.x; i < quads; i += blockDim.x) {
        const float4 x = in[i] + res[i];
        res[i] = x;
        squares += sum(x * x);
    }
    const float scale = rsqrtf(blockReduceSum<float>(squares) / hidden_size + epsilon);
    for (int i = threadIdx.x; i < quads; i += blockDim.x)
        in[i] = res[i] * scale * w[i];
}

// Of the residual the backward wants what the forward left there.
__global__ void fused_add_rms_norm_backward_kernel(float *__restrict__ grad_input, float *__restrict__ grad_residual,
                                                   float *__restrict__ grad_weight,
                                                   const float *__restrict__ residual,
                                                   const float *__restrict__ weight, const float epsilon,
                                                   const int hidden_size)
{
    const int quads = hidden_size / 4;
    float4 *gin = reinterpret_cast<float4 *>(grad_input) + blockIdx.x * quads;
    float4 *gres = reinterpret_cast<float4 *>(grad_residual) + blockIdx.x * quads;
    const float4 *x = reinterpret_cast<const float4 *>(residual) + blockIdx.x * quads;
    const float4 *w = reinterpret_cast<const float4 *>(weight);
    float squares = 0.0f, products = 0.0f;
    for (int i = threadIdx.x; i < quads; i += blockDim.x) {
        squares += sum(x[i] * x[i]);
        products += sum(x[i] * w[i] * gin[i]);
    }
    const float scale = rsqrtf(blockReduceSum<float>(squares) / hidden_size + epsilon);
    const float shared_part = blockReduceSum<float>(products) * scale * scale * scale / hidden_size;
    for (int i = threadIdx.x; i < quads; i += blockDim.x) {
        const float4 gw = x[i] * gin[i] * scale;
        atomicAdd(grad_weight + 4 * i + 0, gw.x);
        atomicAdd(grad_weight + 4 * i + 1, gw.y);
        atomicAdd(grad_weight + 4 * i + 2, gw.z);
        atomicAdd(grad_weight + 4 * i + 3, gw.w);
        const float4 g = gin[i] * w[i] * scale + x[i] * -shared_part + gres[i];
        gin[i] = g;
        gres[i] = g;
    }
}
