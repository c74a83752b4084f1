// What kernels of PyTorch's extensions use of its headers, laid out as there.
namespace c10 {

typedef __half Half;
typedef __nv_bfloat16 BFloat16;

}  // namespace c10

namespace at {

typedef __half Half;
typedef __nv_bfloat16 BFloat16;

template <class T> struct OpMathType { using type = T; };
template <> struct OpMathType<__half> { using type = float; };
template <> struct OpMathType<__nv_bfloat16> { using type = float; };
template <class T> using opmath_type = typename OpMathType<T>::type;

namespace cuda {
namespace detail {

template <class T, class Index> struct TensorInfo {
    T *data;
    Index sizes[25];
    Index strides[25];
    int dims;
};

// Where an element is that is counted as if the tensor had no gaps. Of -1 dimensions: of as many as it has.
template <class T, class Index, int Dims> struct IndexToOffset {
    static __device__ Index get(Index linear, const TensorInfo<T, Index> &info)
    {
        Index offset = 0;
        for (int i = Dims - 1; i > 0; --i) {
            offset += linear % info.sizes[i] * info.strides[i];
            linear /= info.sizes[i];
        }
        return offset + linear * info.strides[0];
    }
};
template <class T, class Index> struct IndexToOffset<T, Index, -1> {
    static __device__ Index get(Index linear, const TensorInfo<T, Index> &info)
    {
        Index offset = 0;
        for (int i = info.dims - 1; i > 0; --i) {
            offset += linear % info.sizes[i] * info.strides[i];
            linear /= info.sizes[i];
        }
        return offset + linear * info.strides[0];
    }
};

}  // namespace detail
}  // namespace cuda
}  // namespace at

namespace torch {

using namespace at;

}  // namespace torch
