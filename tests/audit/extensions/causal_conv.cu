// A causal depthwise convolution; the width is a template argument, the weights' sums come from cub-like pieces.
#include <c10/util/BFloat16.h>
#include <torch/extension.h>

template <int N> struct BytesToType {};
template <> struct BytesToType<4> { using Type = float; };

template <int kNThreads_, int kWidth_, typename input_t_> struct Conv_bwd_traits {
    using input_t = input_t_;
    static constexpr int kNThreads = kNThreads_;
    static constexpr int kWidth = kWidth_;
    static constexpr int kWarps = kNThreads / 32;
};

template <typename Traits> class Allreduce {
public:
    struct TempStorage { typename Traits::input_t warp[Traits::kWarps]; };
    __device__ __forceinline__ Allreduce(TempStorage &storage) : storage(storage) {}
    template <typename Op>
    __device__ __forceinline__ typename Traits::input_t run(typename Traits::input_t x, Op op)
    {
        for (int offset = 16; offset > 0; offset >>= 1)
            x = op(x, __shfl_xor_sync(uint32_t(-1), x, offset));
        if (threadIdx.x % 32 == 0)
            storage.warp[threadIdx.x / 32] = x;
        __syncthreads();
        x = storage.warp[0];
        for (int i = 1; i < Traits::kWarps; ++i)
            x = op(x, storage.warp[i]);
        __syncthreads();
        return x;
    }

private:
    TempStorage &storage;
};

struct SumOp {
    template <typename T> __device__ inline T operator()(T const &x, T const &y) const { return x + y; }
};

template <typename Traits>
__global__ void causal_conv_fwd(const float *__restrict__ x, const float *__restrict__ weight,
                                const float *__restrict__ bias, float *__restrict__ out, int dim, int seqlen,
                                bool silu)
{
    constexpr int kWidth = Traits::kWidth;
    const int channel = blockIdx.y, row = (blockIdx.z * dim + channel) * seqlen;
    const int t = blockIdx.x * Traits::kNThreads + threadIdx.x;
    if (t >= seqlen)
        return;
    float sum = bias[channel];
    #pragma unroll
    for (int w = 0; w < kWidth; ++w)
        if (const int from = t - (kWidth - 1) + w; from >= 0)
            sum += weight[channel * kWidth + w] * x[row + from];
    out[row + t] = silu ? sum / (1 + expf(-sum)) : sum;
}

template <typename Traits>
__global__ void causal_conv_bwd(const float *__restrict__ x, const float *__restrict__ weight,
                                const float *__restrict__ bias, const float *__restrict__ dout,
                                float *__restrict__ dx, float *__restrict__ dweight, float *__restrict__ dbias,
                                int dim, int seqlen, bool silu)
{
    constexpr int kWidth = Traits::kWidth, kNThreads = Traits::kNThreads;
    using Reduce = Allreduce<Traits>;
    __shared__ typename Reduce::TempStorage temp;
    __shared__ typename Traits::input_t smem_dsum[kNThreads + kWidth - 1];
    const int channel = blockIdx.y, row = (blockIdx.z * dim + channel) * seqlen;
    const int start = blockIdx.x * kNThreads;

    // dout through the activation, for this tile and for what follows it
    for (int i = threadIdx.x; i < kNThreads + kWidth - 1; i += kNThreads) {
        const int t = start + i;
        float g = 0;
        if (t < seqlen) {
            float sum = bias[channel];
            for (int w = 0; w < kWidth; ++w)
                if (const int from = t - (kWidth - 1) + w; from >= 0)
                    sum += weight[channel * kWidth + w] * x[row + from];
            const float s = 1 / (1 + expf(-sum));
            g = dout[row + t] * (silu ? s * (1 + sum * (1 - s)) : 1);
        }
        smem_dsum[i] = g;
    }
    __syncthreads();
    const int t = start + threadIdx.x;
    if (t < seqlen) {
        float g = 0;
        for (int w = 0; w < kWidth; ++w)
            g += weight[channel * kWidth + w] * smem_dsum[threadIdx.x + kWidth - 1 - w];
        dx[row + t] = g;
    }
    Reduce reduce(temp);
    const float db = reduce.run(smem_dsum[threadIdx.x], SumOp());
    if (threadIdx.x == 0)
        atomicAdd(&dbias[channel], db);
    for (int w = 0; w < kWidth; ++w) {
        const int from = t - (kWidth - 1) + w;
        const float own = t < seqlen && from >= 0 ? smem_dsum[threadIdx.x] * x[row + from] : 0;
        const float dw = reduce.run(own, SumOp());
        if (threadIdx.x == 0)
            atomicAdd(&dweight[channel * kWidth + w], dw);
    }
}

void causal_conv_backward(const at::Tensor &x)
{
    using Traits = Conv_bwd_traits<64, 4, float>;
    causal_conv_fwd<Traits><<<dim3(2, 3, 2), 64>>>();
    causal_conv_bwd<Traits><<<dim3(2, 3, 2), 64>>>();
}
