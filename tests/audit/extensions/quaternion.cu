// Points turned by quaternions that needn't have unit length: a small class library in a namespace.
#include <torch/extension.h>

namespace geometry {

template <typename T> class Point {
public:
    __device__ Point(T x = 0, T y = 0, T z = 0) : v_{x, y, z} {}
    __device__ T operator[](int i) const { return v_[i]; }
    __device__ T &operator[](int i) { return v_[i]; }
    __device__ friend Point operator+(const Point &a, const Point &b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
    __device__ friend Point operator*(T s, const Point &a) { return {s * a[0], s * a[1], s * a[2]}; }
    __device__ T dot(const Point &o) const { return v_[0] * o[0] + v_[1] * o[1] + v_[2] * o[2]; }
    __device__ Point cross(const Point &o) const
    {
        return {v_[1] * o[2] - v_[2] * o[1], v_[2] * o[0] - v_[0] * o[2], v_[0] * o[1] - v_[1] * o[0]};
    }

private:
    T v_[3];
};

template <typename T> struct Quaternion {
    T w;
    Point<T> u;

    __device__ T norm2() const { return w * w + u.dot(u); }
    __device__ Point<T> rotate(const Point<T> &p) const;
    // What `rotate` owes to this quaternion and to the point, for one adjoint of its result.
    __device__ void rotate_backward(const Point<T> &p, const Point<T> &g, Quaternion *own, Point<T> *point) const;
};

template <typename T> __device__ Point<T> Quaternion<T>::rotate(const Point<T> &p) const
{
    const T s = 2 / norm2();
    return p + s * (w * u.cross(p) + u.cross(u.cross(p)));
}

template <typename T>
__device__ void Quaternion<T>::rotate_backward(const Point<T> &p, const Point<T> &g, Quaternion *own,
                                               Point<T> *point) const
{
    const T s = 2 / norm2();
    const Point<T> up = u.cross(p), turned = w * up + u.cross(up);
    const T ds = g.dot(turned), dn = -s * s / 2 * ds;
    own->w = s * g.dot(up) + 2 * w * dn;
    const Point<T> d_up = s * (w * g + g.cross(u));
    own->u = s * up.cross(g) + p.cross(d_up) + 2 * dn * u;
    *point = g + d_up.cross(u);
}

}  // namespace geometry

namespace kernels {
using namespace geometry;

template <typename scalar_t>
__global__ void rotate_forward(const Quaternion<scalar_t> *q, const Point<scalar_t> *p, Point<scalar_t> *out,
                               size_t count, int points)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = q[i / points].rotate(p[i]);
}

template <typename scalar_t>
__global__ void rotate_backward(const Quaternion<scalar_t> *q, const Point<scalar_t> *p,
                                const Point<scalar_t> *out_grad, Quaternion<scalar_t> *q_grad,
                                Point<scalar_t> *p_grad, size_t count, int points)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    Quaternion<scalar_t> own;
    q[i / points].rotate_backward(p[i], out_grad[i], &own, &p_grad[i]);
    Quaternion<scalar_t> &to = q_grad[i / points];
    atomicAdd(&to.w, own.w);
    for (int k = 0; k < 3; ++k)
        atomicAdd(&to.u[k], own.u[k]);
}

}  // namespace kernels
