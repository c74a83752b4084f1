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

// Views of tensors: each element has its place by the strides. x[i][j] is for the parser x[i, j].
template <class T> struct DefaultPtrTraits { typedef T *PtrType; };
template <class T> struct RestrictPtrTraits { typedef T *PtrType; };
template <class T, size_t N, template <class> class Pointers = DefaultPtrTraits, class Index = int64_t>
struct GenericPackedTensorAccessor {
    T *data_;
    Index sizes_[N];
    Index strides_[N];
};
template <class T, template <class> class Pointers, class Index>
struct GenericPackedTensorAccessor<T, 1, Pointers, Index> {
    T *data_;
    Index sizes_[1];
    Index strides_[1];
    __device__ T &operator[](Index i0) const { return data_[i0 * strides_[0]]; }
    __device__ Index size(Index i) const { return sizes_[i]; }
    __device__ Index stride(Index i) const { return strides_[i]; }
};
template <class T, template <class> class Pointers, class Index>
struct GenericPackedTensorAccessor<T, 2, Pointers, Index> {
    T *data_;
    Index sizes_[2];
    Index strides_[2];
    __device__ T &operator[](Index i0, Index i1) const { return data_[i0 * strides_[0] + i1 * strides_[1]]; }
    __device__ Index size(Index i) const { return sizes_[i]; }
    __device__ Index stride(Index i) const { return strides_[i]; }
};
template <class T, template <class> class Pointers, class Index>
struct GenericPackedTensorAccessor<T, 3, Pointers, Index> {
    T *data_;
    Index sizes_[3];
    Index strides_[3];
    __device__ T &operator[](Index i0, Index i1, Index i2) const { return data_[i0 * strides_[0] + i1 * strides_[1] + i2 * strides_[2]]; }
    __device__ Index size(Index i) const { return sizes_[i]; }
    __device__ Index stride(Index i) const { return strides_[i]; }
};
template <class T, template <class> class Pointers, class Index>
struct GenericPackedTensorAccessor<T, 4, Pointers, Index> {
    T *data_;
    Index sizes_[4];
    Index strides_[4];
    __device__ T &operator[](Index i0, Index i1, Index i2, Index i3) const { return data_[i0 * strides_[0] + i1 * strides_[1] + i2 * strides_[2] + i3 * strides_[3]]; }
    __device__ Index size(Index i) const { return sizes_[i]; }
    __device__ Index stride(Index i) const { return strides_[i]; }
};
template <class T, template <class> class Pointers, class Index>
struct GenericPackedTensorAccessor<T, 5, Pointers, Index> {
    T *data_;
    Index sizes_[5];
    Index strides_[5];
    __device__ T &operator[](Index i0, Index i1, Index i2, Index i3, Index i4) const { return data_[i0 * strides_[0] + i1 * strides_[1] + i2 * strides_[2] + i3 * strides_[3] + i4 * strides_[4]]; }
    __device__ Index size(Index i) const { return sizes_[i]; }
    __device__ Index stride(Index i) const { return strides_[i]; }
};
template <class T, size_t N, template <class> class Pointers = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Pointers, int32_t>;
template <class T, size_t N, template <class> class Pointers = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Pointers, int64_t>;
template <class T, size_t N, template <class> class Pointers = DefaultPtrTraits, class Index = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, Pointers, Index>;

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
