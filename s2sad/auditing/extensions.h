// Names that kernels of PyTorch extensions use and CUDA lacks, as far as device code needs them.
#ifndef CUDA_KERNEL_LOOP
#define CUDA_KERNEL_LOOP_TYPE(i, n, T) \
    for (T i = (T)blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += (T)blockDim.x * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
#define CUDA_1D_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
#define CUDA_1D_KERNEL_LOOP_T(i, n, T) CUDA_KERNEL_LOOP_TYPE(i, n, T)
#endif
#define C10_LAUNCH_BOUNDS_0
#define C10_LAUNCH_BOUNDS_1(...)
#define C10_LAUNCH_BOUNDS_2(...)
#define C10_HOST_DEVICE
#define C10_DEVICE
#define C10_HOST
#define CUDA_KERNEL_ASSERT(...) assert(__VA_ARGS__)
#define C10_RESTRICT

namespace at {
template <class T> struct DefaultPtrTraits { typedef T *PtrType; };
template <class T> struct RestrictPtrTraits { typedef T *PtrType; };

// A view of contiguous numbers: the part that remains after leading indices.
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t> class TensorAccessor {
    T *p;
    const I *sizes, *strides;

public:
    TensorAccessor(T *p, const I *sizes, const I *strides) : p(p), sizes(sizes), strides(strides) {}
    TensorAccessor<T, N - 1, P, I> operator[](I i) const { return {p + i * strides[0], sizes + 1, strides + 1}; }
    I size(I d) const { return sizes[d]; }
    I stride(I d) const { return strides[d]; }
    T *data() const { return p; }
};
template <class T, template <class> class P, class I> class TensorAccessor<T, 1, P, I> {
    T *p;
    const I *sizes, *strides;

public:
    TensorAccessor(T *p, const I *sizes, const I *strides) : p(p), sizes(sizes), strides(strides) {}
    T &operator[](I i) const { return p[i * strides[0]]; }
    I size(I) const { return sizes[0]; }
    I stride(I) const { return strides[0]; }
    T *data() const { return p; }
};

template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
class GenericPackedTensorAccessor {
    T *p;
    I sizes[N], strides[N];

public:
    template <class S> GenericPackedTensorAccessor(T *p, const S *given) : p(p)
    {
        for (size_t i = N, stride = 1; i-- > 0; stride *= given[i]) {
            sizes[i] = (I)given[i];
            strides[i] = (I)stride;
        }
    }
    decltype(auto) operator[](I i) const { return TensorAccessor<T, N, P, I>(p, sizes, strides)[i]; }
    I size(I d) const { return sizes[d]; }
    I stride(I d) const { return strides[d]; }
    T *data() const { return p; }
};
template <class T, size_t N, template <class> class P = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, P, int32_t>;
template <class T, size_t N, template <class> class P = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, P, int64_t>;
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, P, I>;

template <class T, bool = true> using acc_type = T;
template <class T> using opmath_type = T;
template <class T> inline void gpuAtomicAdd(T *p, T v) { atomicAdd(p, v); }
template <class T> inline void gpuAtomicAddNoReturn(T *p, T v) { atomicAdd(p, v); }
namespace native {
template <class T, class I> inline void fastAtomicAdd(T *p, I i, I, T v, bool) { atomicAdd(p + i, v); }
}
namespace cuda {}
}
namespace c10 {
namespace cuda {}
}
namespace torch {
using namespace at;
}
using at::gpuAtomicAdd;
using at::gpuAtomicAddNoReturn;
