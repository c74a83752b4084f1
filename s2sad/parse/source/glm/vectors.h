// Vectors, called as in GLM and laid out as its are: x, y, z, w without padding. v[i] names a field.
namespace glm {

typedef int length_t;

template <length_t L, class T> struct vec;
template <length_t C, length_t R, class T> struct mat;
template <class T> struct qua;

template <class T> struct vec<2, T> {
    typedef T value_type;
    T x, y;
    __device__ vec() = default;
    __device__ explicit vec(T s) : x(s), y(s) {}
    __device__ vec(T x_, T y_) : x(x_), y(y_) {}
    __device__ explicit vec(const vec<3, T> &v) : x(v.x), y(v.y) {}
    __device__ explicit vec(const vec<4, T> &v) : x(v.x), y(v.y) {}
    __device__ T &operator[](length_t i) { return i == 0 ? x : y; }
    __device__ const T &operator[](length_t i) const { return i == 0 ? x : y; }
    static constexpr length_t length() { return 2; }
};

template <class T> struct vec<3, T> {
    typedef T value_type;
    T x, y, z;
    __device__ vec() = default;
    __device__ explicit vec(T s) : x(s), y(s), z(s) {}
    __device__ vec(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}
    __device__ vec(const vec<2, T> &v, T z_) : x(v.x), y(v.y), z(z_) {}
    __device__ vec(T x_, const vec<2, T> &v) : x(x_), y(v.x), z(v.y) {}
    __device__ explicit vec(const vec<4, T> &v) : x(v.x), y(v.y), z(v.z) {}
    __device__ T &operator[](length_t i) { return i == 0 ? x : i == 1 ? y : z; }
    __device__ const T &operator[](length_t i) const { return i == 0 ? x : i == 1 ? y : z; }
    static constexpr length_t length() { return 3; }
};

template <class T> struct vec<4, T> {
    typedef T value_type;
    T x, y, z, w;
    __device__ vec() = default;
    __device__ explicit vec(T s) : x(s), y(s), z(s), w(s) {}
    __device__ vec(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_) {}
    __device__ vec(const vec<3, T> &v, T w_) : x(v.x), y(v.y), z(v.z), w(w_) {}
    __device__ vec(T x_, const vec<3, T> &v) : x(x_), y(v.x), z(v.y), w(v.z) {}
    __device__ vec(const vec<2, T> &v, const vec<2, T> &u) : x(v.x), y(v.y), z(u.x), w(u.y) {}
    __device__ T &operator[](length_t i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
    __device__ const T &operator[](length_t i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
    static constexpr length_t length() { return 4; }
};

template <class T> __device__ vec<2, T> operator-(const vec<2, T> &a) { return vec<2, T>(-a.x, -a.y); }
template <class T> __device__ vec<2, T> operator+(const vec<2, T> &a, const vec<2, T> &b)
{
    return vec<2, T>(a.x + b.x, a.y + b.y);
}
template <class T> __device__ vec<2, T> operator+(const vec<2, T> &a, T b) { return vec<2, T>(a.x + b, a.y + b); }
template <class T> __device__ vec<2, T> operator+(T a, const vec<2, T> &b) { return vec<2, T>(a + b.x, a + b.y); }
template <class T> __device__ vec<2, T> operator-(const vec<2, T> &a, const vec<2, T> &b)
{
    return vec<2, T>(a.x - b.x, a.y - b.y);
}
template <class T> __device__ vec<2, T> operator-(const vec<2, T> &a, T b) { return vec<2, T>(a.x - b, a.y - b); }
template <class T> __device__ vec<2, T> operator-(T a, const vec<2, T> &b) { return vec<2, T>(a - b.x, a - b.y); }
template <class T> __device__ vec<2, T> operator*(const vec<2, T> &a, const vec<2, T> &b)
{
    return vec<2, T>(a.x * b.x, a.y * b.y);
}
template <class T> __device__ vec<2, T> operator*(const vec<2, T> &a, T b) { return vec<2, T>(a.x * b, a.y * b); }
template <class T> __device__ vec<2, T> operator*(T a, const vec<2, T> &b) { return vec<2, T>(a * b.x, a * b.y); }
template <class T> __device__ vec<2, T> operator/(const vec<2, T> &a, const vec<2, T> &b)
{
    return vec<2, T>(a.x / b.x, a.y / b.y);
}
template <class T> __device__ vec<2, T> operator/(const vec<2, T> &a, T b) { return vec<2, T>(a.x / b, a.y / b); }
template <class T> __device__ vec<2, T> operator/(T a, const vec<2, T> &b) { return vec<2, T>(a / b.x, a / b.y); }
template <class T> __device__ vec<2, T> &operator+=(vec<2, T> &a, const vec<2, T> &b)
{
    a.x += b.x;
    a.y += b.y;
    return a;
}
template <class T> __device__ vec<2, T> &operator+=(vec<2, T> &a, T b) { a.x += b; a.y += b; return a; }
template <class T> __device__ vec<2, T> &operator-=(vec<2, T> &a, const vec<2, T> &b)
{
    a.x -= b.x;
    a.y -= b.y;
    return a;
}
template <class T> __device__ vec<2, T> &operator-=(vec<2, T> &a, T b) { a.x -= b; a.y -= b; return a; }
template <class T> __device__ vec<2, T> &operator*=(vec<2, T> &a, const vec<2, T> &b)
{
    a.x *= b.x;
    a.y *= b.y;
    return a;
}
template <class T> __device__ vec<2, T> &operator*=(vec<2, T> &a, T b) { a.x *= b; a.y *= b; return a; }
template <class T> __device__ vec<2, T> &operator/=(vec<2, T> &a, const vec<2, T> &b)
{
    a.x /= b.x;
    a.y /= b.y;
    return a;
}
template <class T> __device__ vec<2, T> &operator/=(vec<2, T> &a, T b) { a.x /= b; a.y /= b; return a; }
template <class T> __device__ bool operator==(const vec<2, T> &a, const vec<2, T> &b)
{
    return a.x == b.x && a.y == b.y;
}
template <class T> __device__ bool operator!=(const vec<2, T> &a, const vec<2, T> &b)
{
    return a.x != b.x || a.y != b.y;
}
template <class T> __device__ T dot(const vec<2, T> &a, const vec<2, T> &b) { return a.x * b.x + a.y * b.y; }
template <class T> __device__ T length(const vec<2, T> &a) { return sqrt(a.x * a.x + a.y * a.y); }
template <class T> __device__ T distance(const vec<2, T> &a, const vec<2, T> &b) { return length(b - a); }
template <class T> __device__ vec<2, T> normalize(const vec<2, T> &a) { return a * (T(1) / length(a)); }
template <class T> __device__ vec<2, T> min(const vec<2, T> &a, const vec<2, T> &b)
{
    return vec<2, T>(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y);
}
template <class T> __device__ vec<2, T> min(const vec<2, T> &a, T b)
{
    return vec<2, T>(b < a.x ? b : a.x, b < a.y ? b : a.y);
}
template <class T> __device__ vec<2, T> max(const vec<2, T> &a, const vec<2, T> &b)
{
    return vec<2, T>(a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y);
}
template <class T> __device__ vec<2, T> max(const vec<2, T> &a, T b)
{
    return vec<2, T>(a.x < b ? b : a.x, a.y < b ? b : a.y);
}
template <class T> __device__ vec<2, T> clamp(const vec<2, T> &a, T low, T high) { return min(max(a, low), high); }
template <class T> __device__ vec<2, T> clamp(const vec<2, T> &a, const vec<2, T> &low, const vec<2, T> &high)
{
    return min(max(a, low), high);
}
template <class T> __device__ vec<2, T> mix(const vec<2, T> &a, const vec<2, T> &b, T t)
{
    return vec<2, T>(a.x * (T(1) - t) + b.x * t, a.y * (T(1) - t) + b.y * t);
}
template <class T> __device__ vec<2, T> mix(const vec<2, T> &a, const vec<2, T> &b, const vec<2, T> &t)
{
    return vec<2, T>(a.x * (T(1) - t.x) + b.x * t.x, a.y * (T(1) - t.y) + b.y * t.y);
}
template <class T> __device__ vec<2, T> abs(const vec<2, T> &a) { return vec<2, T>(fabs(a.x), fabs(a.y)); }

template <class T> __device__ vec<3, T> operator-(const vec<3, T> &a) { return vec<3, T>(-a.x, -a.y, -a.z); }
template <class T> __device__ vec<3, T> operator+(const vec<3, T> &a, const vec<3, T> &b)
{
    return vec<3, T>(a.x + b.x, a.y + b.y, a.z + b.z);
}
template <class T> __device__ vec<3, T> operator+(const vec<3, T> &a, T b)
{
    return vec<3, T>(a.x + b, a.y + b, a.z + b);
}
template <class T> __device__ vec<3, T> operator+(T a, const vec<3, T> &b)
{
    return vec<3, T>(a + b.x, a + b.y, a + b.z);
}
template <class T> __device__ vec<3, T> operator-(const vec<3, T> &a, const vec<3, T> &b)
{
    return vec<3, T>(a.x - b.x, a.y - b.y, a.z - b.z);
}
template <class T> __device__ vec<3, T> operator-(const vec<3, T> &a, T b)
{
    return vec<3, T>(a.x - b, a.y - b, a.z - b);
}
template <class T> __device__ vec<3, T> operator-(T a, const vec<3, T> &b)
{
    return vec<3, T>(a - b.x, a - b.y, a - b.z);
}
template <class T> __device__ vec<3, T> operator*(const vec<3, T> &a, const vec<3, T> &b)
{
    return vec<3, T>(a.x * b.x, a.y * b.y, a.z * b.z);
}
template <class T> __device__ vec<3, T> operator*(const vec<3, T> &a, T b)
{
    return vec<3, T>(a.x * b, a.y * b, a.z * b);
}
template <class T> __device__ vec<3, T> operator*(T a, const vec<3, T> &b)
{
    return vec<3, T>(a * b.x, a * b.y, a * b.z);
}
template <class T> __device__ vec<3, T> operator/(const vec<3, T> &a, const vec<3, T> &b)
{
    return vec<3, T>(a.x / b.x, a.y / b.y, a.z / b.z);
}
template <class T> __device__ vec<3, T> operator/(const vec<3, T> &a, T b)
{
    return vec<3, T>(a.x / b, a.y / b, a.z / b);
}
template <class T> __device__ vec<3, T> operator/(T a, const vec<3, T> &b)
{
    return vec<3, T>(a / b.x, a / b.y, a / b.z);
}
template <class T> __device__ vec<3, T> &operator+=(vec<3, T> &a, const vec<3, T> &b)
{
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
    return a;
}
template <class T> __device__ vec<3, T> &operator+=(vec<3, T> &a, T b) { a.x += b; a.y += b; a.z += b; return a; }
template <class T> __device__ vec<3, T> &operator-=(vec<3, T> &a, const vec<3, T> &b)
{
    a.x -= b.x;
    a.y -= b.y;
    a.z -= b.z;
    return a;
}
template <class T> __device__ vec<3, T> &operator-=(vec<3, T> &a, T b) { a.x -= b; a.y -= b; a.z -= b; return a; }
template <class T> __device__ vec<3, T> &operator*=(vec<3, T> &a, const vec<3, T> &b)
{
    a.x *= b.x;
    a.y *= b.y;
    a.z *= b.z;
    return a;
}
template <class T> __device__ vec<3, T> &operator*=(vec<3, T> &a, T b) { a.x *= b; a.y *= b; a.z *= b; return a; }
template <class T> __device__ vec<3, T> &operator/=(vec<3, T> &a, const vec<3, T> &b)
{
    a.x /= b.x;
    a.y /= b.y;
    a.z /= b.z;
    return a;
}
template <class T> __device__ vec<3, T> &operator/=(vec<3, T> &a, T b) { a.x /= b; a.y /= b; a.z /= b; return a; }
template <class T> __device__ bool operator==(const vec<3, T> &a, const vec<3, T> &b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
template <class T> __device__ bool operator!=(const vec<3, T> &a, const vec<3, T> &b)
{
    return a.x != b.x || a.y != b.y || a.z != b.z;
}
template <class T> __device__ T dot(const vec<3, T> &a, const vec<3, T> &b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T> __device__ T length(const vec<3, T> &a) { return sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }
template <class T> __device__ T distance(const vec<3, T> &a, const vec<3, T> &b) { return length(b - a); }
template <class T> __device__ vec<3, T> normalize(const vec<3, T> &a) { return a * (T(1) / length(a)); }
template <class T> __device__ vec<3, T> min(const vec<3, T> &a, const vec<3, T> &b)
{
    return vec<3, T>(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z);
}
template <class T> __device__ vec<3, T> min(const vec<3, T> &a, T b)
{
    return vec<3, T>(b < a.x ? b : a.x, b < a.y ? b : a.y, b < a.z ? b : a.z);
}
template <class T> __device__ vec<3, T> max(const vec<3, T> &a, const vec<3, T> &b)
{
    return vec<3, T>(a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z);
}
template <class T> __device__ vec<3, T> max(const vec<3, T> &a, T b)
{
    return vec<3, T>(a.x < b ? b : a.x, a.y < b ? b : a.y, a.z < b ? b : a.z);
}
template <class T> __device__ vec<3, T> clamp(const vec<3, T> &a, T low, T high) { return min(max(a, low), high); }
template <class T> __device__ vec<3, T> clamp(const vec<3, T> &a, const vec<3, T> &low, const vec<3, T> &high)
{
    return min(max(a, low), high);
}
template <class T> __device__ vec<3, T> mix(const vec<3, T> &a, const vec<3, T> &b, T t)
{
    return vec<3, T>(a.x * (T(1) - t) + b.x * t, a.y * (T(1) - t) + b.y * t, a.z * (T(1) - t) + b.z * t);
}
template <class T> __device__ vec<3, T> mix(const vec<3, T> &a, const vec<3, T> &b, const vec<3, T> &t)
{
    return vec<3, T>(a.x * (T(1) - t.x) + b.x * t.x, a.y * (T(1) - t.y) + b.y * t.y, a.z * (T(1) - t.z) + b.z * t.z);
}
template <class T> __device__ vec<3, T> abs(const vec<3, T> &a) { return vec<3, T>(fabs(a.x), fabs(a.y), fabs(a.z)); }

template <class T> __device__ vec<4, T> operator-(const vec<4, T> &a) { return vec<4, T>(-a.x, -a.y, -a.z, -a.w); }
template <class T> __device__ vec<4, T> operator+(const vec<4, T> &a, const vec<4, T> &b)
{
    return vec<4, T>(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
template <class T> __device__ vec<4, T> operator+(const vec<4, T> &a, T b)
{
    return vec<4, T>(a.x + b, a.y + b, a.z + b, a.w + b);
}
template <class T> __device__ vec<4, T> operator+(T a, const vec<4, T> &b)
{
    return vec<4, T>(a + b.x, a + b.y, a + b.z, a + b.w);
}
template <class T> __device__ vec<4, T> operator-(const vec<4, T> &a, const vec<4, T> &b)
{
    return vec<4, T>(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}
template <class T> __device__ vec<4, T> operator-(const vec<4, T> &a, T b)
{
    return vec<4, T>(a.x - b, a.y - b, a.z - b, a.w - b);
}
template <class T> __device__ vec<4, T> operator-(T a, const vec<4, T> &b)
{
    return vec<4, T>(a - b.x, a - b.y, a - b.z, a - b.w);
}
template <class T> __device__ vec<4, T> operator*(const vec<4, T> &a, const vec<4, T> &b)
{
    return vec<4, T>(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}
template <class T> __device__ vec<4, T> operator*(const vec<4, T> &a, T b)
{
    return vec<4, T>(a.x * b, a.y * b, a.z * b, a.w * b);
}
template <class T> __device__ vec<4, T> operator*(T a, const vec<4, T> &b)
{
    return vec<4, T>(a * b.x, a * b.y, a * b.z, a * b.w);
}
template <class T> __device__ vec<4, T> operator/(const vec<4, T> &a, const vec<4, T> &b)
{
    return vec<4, T>(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w);
}
template <class T> __device__ vec<4, T> operator/(const vec<4, T> &a, T b)
{
    return vec<4, T>(a.x / b, a.y / b, a.z / b, a.w / b);
}
template <class T> __device__ vec<4, T> operator/(T a, const vec<4, T> &b)
{
    return vec<4, T>(a / b.x, a / b.y, a / b.z, a / b.w);
}
template <class T> __device__ vec<4, T> &operator+=(vec<4, T> &a, const vec<4, T> &b)
{
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
    a.w += b.w;
    return a;
}
template <class T> __device__ vec<4, T> &operator+=(vec<4, T> &a, T b)
{
    a.x += b;
    a.y += b;
    a.z += b;
    a.w += b;
    return a;
}
template <class T> __device__ vec<4, T> &operator-=(vec<4, T> &a, const vec<4, T> &b)
{
    a.x -= b.x;
    a.y -= b.y;
    a.z -= b.z;
    a.w -= b.w;
    return a;
}
template <class T> __device__ vec<4, T> &operator-=(vec<4, T> &a, T b)
{
    a.x -= b;
    a.y -= b;
    a.z -= b;
    a.w -= b;
    return a;
}
template <class T> __device__ vec<4, T> &operator*=(vec<4, T> &a, const vec<4, T> &b)
{
    a.x *= b.x;
    a.y *= b.y;
    a.z *= b.z;
    a.w *= b.w;
    return a;
}
template <class T> __device__ vec<4, T> &operator*=(vec<4, T> &a, T b)
{
    a.x *= b;
    a.y *= b;
    a.z *= b;
    a.w *= b;
    return a;
}
template <class T> __device__ vec<4, T> &operator/=(vec<4, T> &a, const vec<4, T> &b)
{
    a.x /= b.x;
    a.y /= b.y;
    a.z /= b.z;
    a.w /= b.w;
    return a;
}
template <class T> __device__ vec<4, T> &operator/=(vec<4, T> &a, T b)
{
    a.x /= b;
    a.y /= b;
    a.z /= b;
    a.w /= b;
    return a;
}
template <class T> __device__ bool operator==(const vec<4, T> &a, const vec<4, T> &b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
template <class T> __device__ bool operator!=(const vec<4, T> &a, const vec<4, T> &b)
{
    return a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w;
}
template <class T> __device__ T dot(const vec<4, T> &a, const vec<4, T> &b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
template <class T> __device__ T length(const vec<4, T> &a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w);
}
template <class T> __device__ T distance(const vec<4, T> &a, const vec<4, T> &b) { return length(b - a); }
template <class T> __device__ vec<4, T> normalize(const vec<4, T> &a) { return a * (T(1) / length(a)); }
template <class T> __device__ vec<4, T> min(const vec<4, T> &a, const vec<4, T> &b)
{
    return vec<4, T>(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z, b.w < a.w ? b.w : a.w);
}
template <class T> __device__ vec<4, T> min(const vec<4, T> &a, T b)
{
    return vec<4, T>(b < a.x ? b : a.x, b < a.y ? b : a.y, b < a.z ? b : a.z, b < a.w ? b : a.w);
}
template <class T> __device__ vec<4, T> max(const vec<4, T> &a, const vec<4, T> &b)
{
    return vec<4, T>(a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z, a.w < b.w ? b.w : a.w);
}
template <class T> __device__ vec<4, T> max(const vec<4, T> &a, T b)
{
    return vec<4, T>(a.x < b ? b : a.x, a.y < b ? b : a.y, a.z < b ? b : a.z, a.w < b ? b : a.w);
}
template <class T> __device__ vec<4, T> clamp(const vec<4, T> &a, T low, T high) { return min(max(a, low), high); }
template <class T> __device__ vec<4, T> clamp(const vec<4, T> &a, const vec<4, T> &low, const vec<4, T> &high)
{
    return min(max(a, low), high);
}
template <class T> __device__ vec<4, T> mix(const vec<4, T> &a, const vec<4, T> &b, T t)
{
        return vec<4, T>(a.x * (T(1) - t) + b.x * t, a.y * (T(1) - t) + b.y * t, a.z * (T(1) - t) + b.z * t, a.w *
        (T(1) - t) + b.w * t);
}
template <class T> __device__ vec<4, T> mix(const vec<4, T> &a, const vec<4, T> &b, const vec<4, T> &t)
{
        return vec<4, T>(a.x * (T(1) - t.x) + b.x * t.x, a.y * (T(1) - t.y) + b.y * t.y, a.z * (T(1) - t.z) + b.z *
        t.z, a.w * (T(1) - t.w) + b.w * t.w);
}
template <class T> __device__ vec<4, T> abs(const vec<4, T> &a)
{
    return vec<4, T>(fabs(a.x), fabs(a.y), fabs(a.z), fabs(a.w));
}

template <class T> __device__ vec<3, T> cross(const vec<3, T> &a, const vec<3, T> &b)
{
    return vec<3, T>(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y);
}
__device__ float mix(float a, float b, float t) { return a * (1.0f - t) + b * t; }
__device__ float clamp(float a, float low, float high) { return a < low ? low : high < a ? high : a; }
__device__ float inversesqrt(float a) { return 1.0f / sqrt(a); }
__device__ float radians(float a) { return a * 0.01745329251994329577f; }
__device__ float atan(float y, float x) { return atan2(y, x); }
__device__ double mix(double a, double b, double t) { return a * (1.0 - t) + b * t; }
__device__ double clamp(double a, double low, double high) { return a < low ? low : high < a ? high : a; }
__device__ double inversesqrt(double a) { return 1.0 / sqrt(a); }
__device__ double radians(double a) { return a * 0.01745329251994329577; }
__device__ double atan(double y, double x) { return atan2(y, x); }
template <class T> __device__ T epsilon() { return T(sizeof(T) > 4 ? 2.220446049250313e-16 : 1.1920928955078125e-7); }

template <class T> __device__ vec<2, T> make_vec2(const T *p) { return vec<2, T>(p[0], p[1]); }
template <class T> __device__ vec<3, T> make_vec3(const T *p) { return vec<3, T>(p[0], p[1], p[2]); }
template <class T> __device__ vec<4, T> make_vec4(const T *p) { return vec<4, T>(p[0], p[1], p[2], p[3]); }

typedef vec<2, float> vec2;
typedef vec<3, float> vec3;
typedef vec<4, float> vec4;
typedef vec<2, float> fvec2;
typedef vec<3, float> fvec3;
typedef vec<4, float> fvec4;
typedef vec<2, double> dvec2;
typedef vec<3, double> dvec3;
typedef vec<4, double> dvec4;
typedef vec<2, int> ivec2;
typedef vec<3, int> ivec3;
typedef vec<4, int> ivec4;
typedef vec<2, unsigned> uvec2;
typedef vec<3, unsigned> uvec3;
typedef vec<4, unsigned> uvec4;

}  // namespace glm
