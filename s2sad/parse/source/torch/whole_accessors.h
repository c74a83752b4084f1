// The same for compilers, for which x[i] is a view of what remains after an index.
namespace at {

template <class T> struct DefaultPtrTraits { typedef T *PtrType; };
template <class T> struct RestrictPtrTraits { typedef T *PtrType; };
template <class T, size_t N, template <class> class Pointers = DefaultPtrTraits, class Index = int64_t>
struct TensorAccessor {
    T *data_;
    const Index *sizes_, *strides_;
    __device__ TensorAccessor<T, N - 1, Pointers, Index> operator[](Index i) const
    {
        return {data_ + i * strides_[0], sizes_ + 1, strides_ + 1};
    }
    __device__ T *data() const { return data_; }
    __device__ Index size(Index i) const { return sizes_[i]; }
    __device__ Index stride(Index i) const { return strides_[i]; }
};
template <class T, template <class> class Pointers, class Index> struct TensorAccessor<T, 1, Pointers, Index> {
    T *data_;
    const Index *sizes_, *strides_;
    __device__ T &operator[](Index i) const { return data_[i * strides_[0]]; }
    __device__ T *data() const { return data_; }
    __device__ Index size(Index i) const { return sizes_[i]; }
    __device__ Index stride(Index i) const { return strides_[i]; }
};
template <class T, size_t N, template <class> class Pointers = DefaultPtrTraits, class Index = int64_t>
struct GenericPackedTensorAccessor {
    T *data_;
    Index sizes_[N];
    Index strides_[N];
    __device__ decltype(auto) operator[](Index i) const
    {
        return TensorAccessor<T, N, Pointers, Index>{data_, sizes_, strides_}[i];
    }
    __device__ T *data() const { return data_; }
    __device__ Index size(Index i) const { return sizes_[i]; }
    __device__ Index stride(Index i) const { return strides_[i]; }
};
template <class T, size_t N, template <class> class Pointers = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Pointers, int32_t>;
template <class T, size_t N, template <class> class Pointers = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Pointers, int64_t>;
template <class T, size_t N, template <class> class Pointers = DefaultPtrTraits, class Index = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, Pointers, Index>;

}  // namespace at

namespace torch {

using namespace at;

}  // namespace torch
