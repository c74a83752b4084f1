// Views of tensors: each element has its place by the strides. x[i][j] is for the parser x[i, j].
namespace at {

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
    __device__ T *data() const { return data_; }
    __device__ const Index &size(int i) const { return sizes_[i]; }
    __device__ const Index &stride(int i) const { return strides_[i]; }
};
template <class T, template <class> class Pointers, class Index>
struct GenericPackedTensorAccessor<T, 2, Pointers, Index> {
    T *data_;
    Index sizes_[2];
    Index strides_[2];
    __device__ T &operator[](Index i0, Index i1) const { return data_[i0 * strides_[0] + i1 * strides_[1]]; }
    __device__ T *data() const { return data_; }
    __device__ const Index &size(int i) const { return sizes_[i]; }
    __device__ const Index &stride(int i) const { return strides_[i]; }
};
template <class T, template <class> class Pointers, class Index>
struct GenericPackedTensorAccessor<T, 3, Pointers, Index> {
    T *data_;
    Index sizes_[3];
    Index strides_[3];
    __device__ T &operator[](Index i0, Index i1, Index i2) const { return data_[i0 * strides_[0] + i1 * strides_[1] + i2 * strides_[2]]; }
    __device__ T *data() const { return data_; }
    __device__ const Index &size(int i) const { return sizes_[i]; }
    __device__ const Index &stride(int i) const { return strides_[i]; }
};
template <class T, template <class> class Pointers, class Index>
struct GenericPackedTensorAccessor<T, 4, Pointers, Index> {
    T *data_;
    Index sizes_[4];
    Index strides_[4];
    __device__ T &operator[](Index i0, Index i1, Index i2, Index i3) const { return data_[i0 * strides_[0] + i1 * strides_[1] + i2 * strides_[2] + i3 * strides_[3]]; }
    __device__ T *data() const { return data_; }
    __device__ const Index &size(int i) const { return sizes_[i]; }
    __device__ const Index &stride(int i) const { return strides_[i]; }
};
template <class T, template <class> class Pointers, class Index>
struct GenericPackedTensorAccessor<T, 5, Pointers, Index> {
    T *data_;
    Index sizes_[5];
    Index strides_[5];
    __device__ T &operator[](Index i0, Index i1, Index i2, Index i3, Index i4) const { return data_[i0 * strides_[0] + i1 * strides_[1] + i2 * strides_[2] + i3 * strides_[3] + i4 * strides_[4]]; }
    __device__ T *data() const { return data_; }
    __device__ const Index &size(int i) const { return sizes_[i]; }
    __device__ const Index &stride(int i) const { return strides_[i]; }
};
template <class T, template <class> class Pointers, class Index>
struct GenericPackedTensorAccessor<T, 6, Pointers, Index> {
    T *data_;
    Index sizes_[6];
    Index strides_[6];
    __device__ T &operator[](Index i0, Index i1, Index i2, Index i3, Index i4, Index i5) const { return data_[i0 * strides_[0] + i1 * strides_[1] + i2 * strides_[2] + i3 * strides_[3] + i4 * strides_[4] + i5 * strides_[5]]; }
    __device__ T *data() const { return data_; }
    __device__ const Index &size(int i) const { return sizes_[i]; }
    __device__ const Index &stride(int i) const { return strides_[i]; }
};
template <class T, template <class> class Pointers, class Index>
struct GenericPackedTensorAccessor<T, 7, Pointers, Index> {
    T *data_;
    Index sizes_[7];
    Index strides_[7];
    __device__ T &operator[](Index i0, Index i1, Index i2, Index i3, Index i4, Index i5, Index i6) const { return data_[i0 * strides_[0] + i1 * strides_[1] + i2 * strides_[2] + i3 * strides_[3] + i4 * strides_[4] + i5 * strides_[5] + i6 * strides_[6]]; }
    __device__ T *data() const { return data_; }
    __device__ const Index &size(int i) const { return sizes_[i]; }
    __device__ const Index &stride(int i) const { return strides_[i]; }
};
template <class T, template <class> class Pointers, class Index>
struct GenericPackedTensorAccessor<T, 8, Pointers, Index> {
    T *data_;
    Index sizes_[8];
    Index strides_[8];
    __device__ T &operator[](Index i0, Index i1, Index i2, Index i3, Index i4, Index i5, Index i6, Index i7) const { return data_[i0 * strides_[0] + i1 * strides_[1] + i2 * strides_[2] + i3 * strides_[3] + i4 * strides_[4] + i5 * strides_[5] + i6 * strides_[6] + i7 * strides_[7]]; }
    __device__ T *data() const { return data_; }
    __device__ const Index &size(int i) const { return sizes_[i]; }
    __device__ const Index &stride(int i) const { return strides_[i]; }
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
