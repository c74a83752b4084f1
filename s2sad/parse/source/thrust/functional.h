// Objects that are called, as in thrust.
namespace thrust {

template <class T> struct plus { __device__ T operator()(const T &a, const T &b) const { return a + b; } };
template <class T> struct minus { __device__ T operator()(const T &a, const T &b) const { return a - b; } };
template <class T> struct multiplies { __device__ T operator()(const T &a, const T &b) const { return a * b; } };
template <class T> struct divides { __device__ T operator()(const T &a, const T &b) const { return a / b; } };
template <class T> struct negate { __device__ T operator()(const T &a) const { return -a; } };
template <class T> struct square { __device__ T operator()(const T &a) const { return a * a; } };

}  // namespace thrust
