// Quaternions, called as in GLM: made from w, x, y, z, and laid out as its are by default: x, y, z, w.
namespace glm {

template <class T> struct qua {
    typedef T value_type;
    T x, y, z, w;
    __device__ qua() = default;
    __device__ qua(T w_, T x_, T y_, T z_) : x(x_), y(y_), z(z_), w(w_) {}
    __device__ qua(T s, const vec<3, T> &v) : x(v.x), y(v.y), z(v.z), w(s) {}
    __device__ T &operator[](length_t i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
    __device__ const T &operator[](length_t i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
    static constexpr length_t length() { return 4; }
};

template <class T> __device__ qua<T> operator-(const qua<T> &a) { return qua<T>(-a.w, -a.x, -a.y, -a.z); }
template <class T> __device__ qua<T> operator+(const qua<T> &a, const qua<T> &b)
{
    return qua<T>(a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z);
}
template <class T> __device__ qua<T> operator-(const qua<T> &a, const qua<T> &b)
{
    return qua<T>(a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z);
}
template <class T> __device__ qua<T> operator*(const qua<T> &a, T s)
{
    return qua<T>(a.w * s, a.x * s, a.y * s, a.z * s);
}
template <class T> __device__ qua<T> operator*(T s, const qua<T> &a)
{
    return qua<T>(s * a.w, s * a.x, s * a.y, s * a.z);
}
template <class T> __device__ qua<T> operator/(const qua<T> &a, T s)
{
    return qua<T>(a.w / s, a.x / s, a.y / s, a.z / s);
}
template <class T> __device__ qua<T> operator*(const qua<T> &a, const qua<T> &b)
{
    return qua<T>(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z, a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x);
}
// v turned by a unit quaternion: v + 2 w (u x v) + 2 u x (u x v), u its vector part.
template <class T> __device__ vec<3, T> operator*(const qua<T> &a, const vec<3, T> &v)
{
    vec<3, T> u(a.x, a.y, a.z), s = cross(u, v), t = cross(u, s);
    return v + (s * a.w + t) * T(2);
}
template <class T> __device__ T dot(const qua<T> &a, const qua<T> &b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T> __device__ T length(const qua<T> &a)
{
    return sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
}
template <class T> __device__ qua<T> conjugate(const qua<T> &a) { return qua<T>(a.w, -a.x, -a.y, -a.z); }
template <class T> __device__ qua<T> inverse(const qua<T> &a) { return conjugate(a) / dot(a, a); }
template <class T> __device__ vec<3, T> operator*(const vec<3, T> &v, const qua<T> &a) { return inverse(a) * v; }
template <class T> __device__ vec<3, T> rotate(const qua<T> &a, const vec<3, T> &v) { return a * v; }
template <class T> __device__ qua<T> normalize(const qua<T> &a)
{
    T n = length(a);
    if (n <= T(0))
        return qua<T>(T(1), T(0), T(0), T(0));
    return a * (T(1) / n);
}
template <class T> __device__ qua<T> lerp(const qua<T> &a, const qua<T> &b, T t) { return a * (T(1) - t) + b * t; }
// Along the shorter of the two ways; where they hardly differ, straight on.
template <class T> __device__ qua<T> slerp(const qua<T> &a, const qua<T> &b, T t)
{
    qua<T> to = b;
    T c = dot(a, b);
    if (c < T(0)) {
        to = -b;
        c = -c;
    }
    if (c > T(1) - epsilon<T>())
        return a * (T(1) - t) + to * t;
    T angle = acos(c);
    return (a * sin((T(1) - t) * angle) + to * sin(t * angle)) / sin(angle);
}
template <class T> __device__ mat<3, 3, T> mat3_cast(const qua<T> &a)
{
    T xx = a.x * a.x, yy = a.y * a.y, zz = a.z * a.z, xz = a.x * a.z, xy = a.x * a.y, yz = a.y * a.z;
    T wx = a.w * a.x, wy = a.w * a.y, wz = a.w * a.z;
        return mat<3, 3, T>(T(1) - T(2) * (yy + zz), T(2) * (xy + wz), T(2) * (xz - wy), T(2) * (xy - wz), T(1) - T(2)
        * (xx + zz),
                              T(2) * (yz + wx), T(2) * (xz + wy), T(2) * (yz - wx), T(1) - T(2) * (xx + yy));
}
// From a rotation; whichever of w, x, y, z is the largest is found first.
template <class T> __device__ qua<T> quat_cast(const mat<3, 3, T> &m)
{
        T x = m.c0.x - m.c1.y - m.c2.z, y = m.c1.y - m.c0.x - m.c2.z, z = m.c2.z - m.c0.x - m.c1.y, w = m.c0.x +
        m.c1.y + m.c2.z;
    T most = w;
    int which = 0;
    if (x > most) {
        most = x;
        which = 1;
    }
    if (y > most) {
        most = y;
        which = 2;
    }
    if (z > most) {
        most = z;
        which = 3;
    }
    T large = sqrt(most + T(1)) * T(0.5);
    T by = T(0.25) / large;
    if (which == 0)
        return qua<T>(large, (m.c1.z - m.c2.y) * by, (m.c2.x - m.c0.z) * by, (m.c0.y - m.c1.x) * by);
    if (which == 1)
        return qua<T>((m.c1.z - m.c2.y) * by, large, (m.c0.y + m.c1.x) * by, (m.c2.x + m.c0.z) * by);
    if (which == 2)
        return qua<T>((m.c2.x - m.c0.z) * by, (m.c0.y + m.c1.x) * by, large, (m.c1.z + m.c2.y) * by);
    return qua<T>((m.c0.y - m.c1.x) * by, (m.c2.x + m.c0.z) * by, (m.c1.z + m.c2.y) * by, large);
}

typedef qua<float> quat;
typedef qua<float> fquat;
typedef qua<double> dquat;

}  // namespace glm
