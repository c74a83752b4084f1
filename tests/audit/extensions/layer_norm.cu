// Layer normalisation, a block for each row: sums by a helper class, sums of the parameters by a second kernel.
#include <ATen/ATen.h>
#include <ATen/AccumulateType.h>
#include <ATen/cuda/CUDAContext.h>

namespace layer_norm_ops {

constexpr int kWarp = 32;

template <typename T> struct Pair {
    T a, b;
    __device__ Pair(T a, T b) : a(a), b(b) {}
    __device__ Pair operator+(const Pair &other) const { return Pair(a + other.a, b + other.b); }
    __device__ Pair shuffled(int distance) const
    {
        return Pair(__shfl_down_sync(0xffffffffu, a, distance), __shfl_down_sync(0xffffffffu, b, distance));
    }
};

template <typename T, int kThreads> class BlockSum {
public:
    struct Storage {
        T a[kThreads / kWarp], b[kThreads / kWarp];
    };
    __device__ explicit BlockSum(Storage &storage) : storage_(storage) {}

    __device__ Pair<T> operator()(Pair<T> value)
    {
        for (int distance = kWarp / 2; distance > 0; distance /= 2)
            value = value + value.shuffled(distance);
        __syncthreads();
        if (threadIdx.x % kWarp == 0) {
            storage_.a[threadIdx.x / kWarp] = value.a;
            storage_.b[threadIdx.x / kWarp] = value.b;
        }
        __syncthreads();
        Pair<T> sum(0, 0);
        for (int i = 0; i < kThreads / kWarp; ++i)
            sum = sum + Pair<T>(storage_.a[i], storage_.b[i]);
        return sum;
    }

private:
    Storage &storage_;
};

template <typename scalar_t, int kThreads>
__global__ void forward_kernel(const scalar_t *input, const scalar_t *gamma, const scalar_t *beta,
                               scalar_t *output, scalar_t *mean, scalar_t *rstd, int width, double eps)
{
    using accscalar_t = at::acc_type<scalar_t, true>;
    __shared__ typename BlockSum<accscalar_t, kThreads>::Storage storage;
    BlockSum<accscalar_t, kThreads> sum(storage);
    const scalar_t *row = input + blockIdx.x * width;
    Pair<accscalar_t> own(0, 0);
    for (int i = threadIdx.x; i < width; i += kThreads)
        own = own + Pair<accscalar_t>(row[i], 0);
    const accscalar_t center = sum(own).a / width;
    own = Pair<accscalar_t>(0, 0);
    for (int i = threadIdx.x; i < width; i += kThreads)
        own = own + Pair<accscalar_t>((row[i] - center) * (row[i] - center), 0);
    const accscalar_t scale = rsqrt(sum(own).a / width + static_cast<accscalar_t>(eps));
    for (int i = threadIdx.x; i < width; i += kThreads)
        output[blockIdx.x * width + i] = (row[i] - center) * scale * gamma[i] + beta[i];
    if (threadIdx.x == 0) {
        mean[blockIdx.x] = center;
        rstd[blockIdx.x] = scale;
    }
}

template <typename scalar_t, int kThreads>
__global__ void backward_input_kernel(const scalar_t *grad_output, const scalar_t *input, const scalar_t *gamma,
                                      const scalar_t *mean, const scalar_t *rstd, scalar_t *grad_input, int width)
{
    using accscalar_t = at::acc_type<scalar_t, true>;
    __shared__ typename BlockSum<accscalar_t, kThreads>::Storage storage;
    BlockSum<accscalar_t, kThreads> sum(storage);
    const int start = blockIdx.x * width;
    const accscalar_t center = mean[blockIdx.x], scale = rstd[blockIdx.x];
    Pair<accscalar_t> own(0, 0);
    for (int i = threadIdx.x; i < width; i += kThreads) {
        const accscalar_t g = grad_output[start + i] * gamma[i];
        own = own + Pair<accscalar_t>(g, g * (input[start + i] - center) * scale);
    }
    const Pair<accscalar_t> total = sum(own);
    for (int i = threadIdx.x; i < width; i += kThreads) {
        const accscalar_t normal = (input[start + i] - center) * scale;
        grad_input[start + i] =
            scale * (grad_output[start + i] * gamma[i] - (total.a + normal * total.b) / width);
    }
}

template <typename scalar_t>
__global__ void backward_parameters_kernel(const scalar_t *grad_output, const scalar_t *input,
                                           const scalar_t *mean, const scalar_t *rstd, scalar_t *grad_gamma,
                                           scalar_t *grad_beta, int rows, int width)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= width)
        return;
    at::acc_type<scalar_t, true> gamma = 0, beta = 0;
    for (int row = 0; row < rows; ++row) {
        const scalar_t g = grad_output[row * width + column];
        gamma += g * (input[row * width + column] - mean[row]) * rstd[row];
        beta += g;
    }
    grad_gamma[column] = gamma;
    grad_beta[column] = beta;
}

}  // namespace layer_norm_ops

void layer_norm_backward(const at::Tensor &grad_output, const at::Tensor &input, const at::Tensor &gamma,
                         const at::Tensor &mean, const at::Tensor &rstd, at::Tensor &grad_input,
                         at::Tensor &grad_gamma, at::Tensor &grad_beta)
{
    const int rows = input.size(0), width = input.size(1);
    AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "layer_norm_backward", [&] {
        layer_norm_ops::backward_input_kernel<scalar_t, 64><<<rows, 64>>>(
            grad_output.data_ptr<scalar_t>(), input.data_ptr<scalar_t>(), gamma.data_ptr<scalar_t>(),
            mean.data_ptr<scalar_t>(), rstd.data_ptr<scalar_t>(), grad_input.data_ptr<scalar_t>(), width);
        layer_norm_ops::backward_parameters_kernel<scalar_t><<<(width + 31) / 32, 32>>>(
            grad_output.data_ptr<scalar_t>(), input.data_ptr<scalar_t>(), mean.data_ptr<scalar_t>(),
            rstd.data_ptr<scalar_t>(), grad_gamma.data_ptr<scalar_t>(), grad_beta.data_ptr<scalar_t>(), rows,
            width);
    });
}
