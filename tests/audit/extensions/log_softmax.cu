// Log-softmax of each row by a block: functors as template arguments, dynamic shared memory of any type.
#include <torch/types.h>
#include <limits>

template <typename T> struct Max {
    __device__ __forceinline__ T operator()(T a, T b) const { return a < b ? b : a; }
    static __device__ T neutral() { return -std::numeric_limits<T>::max(); }
};
template <typename T> struct Add {
    __device__ __forceinline__ T operator()(T a, T b) const { return a + b; }
    static __device__ T neutral() { return 0; }
};

template <template <typename> class Reduction, typename T> __device__ T block_reduce(T *shared, T value)
{
    Reduction<T> r;
    __syncthreads();
    shared[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half)
            shared[threadIdx.x] = r(shared[threadIdx.x], shared[threadIdx.x + half]);
        __syncthreads();
    }
    return shared[0];
}

template <typename scalar_t>
__global__ void log_softmax_forward(scalar_t *output, const scalar_t *input, int classes)
{
    extern __shared__ __align__(sizeof(double)) unsigned char memory[];
    auto shared = reinterpret_cast<scalar_t *>(memory);
    input += blockIdx.x * classes;
    output += blockIdx.x * classes;

    scalar_t largest = Max<scalar_t>::neutral();
    for (int i = threadIdx.x; i < classes; i += blockDim.x)
        largest = Max<scalar_t>()(largest, input[i]);
    largest = block_reduce<Max, scalar_t>(shared, largest);
    scalar_t sum = 0;
    for (int i = threadIdx.x; i < classes; i += blockDim.x)
        sum += exp(input[i] - largest);
    sum = block_reduce<Add, scalar_t>(shared, sum);
    for (int i = threadIdx.x; i < classes; i += blockDim.x)
        output[i] = input[i] - largest - log(sum);
}

template <typename scalar_t>
__global__ void log_softmax_backward(scalar_t *gradInput, const scalar_t *gradOutput, const scalar_t *output,
                                     int classes)
{
    extern __shared__ __align__(sizeof(double)) unsigned char memory[];
    auto shared = reinterpret_cast<scalar_t *>(memory);
    gradInput += blockIdx.x * classes;
    gradOutput += blockIdx.x * classes;
    output += blockIdx.x * classes;

    scalar_t sum = 0;
    for (int i = threadIdx.x; i < classes; i += blockDim.x)
        sum += gradOutput[i];
    sum = block_reduce<Add, scalar_t>(shared, sum);
    for (int i = threadIdx.x; i < classes; i += blockDim.x)
        gradInput[i] = gradOutput[i] - exp(output[i]) * sum;
}
