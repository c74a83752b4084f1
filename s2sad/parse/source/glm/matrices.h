// Matrices, called as in GLM and laid out as its are: column by column; m[i] names a column, c0, c1, ...
namespace glm {

template <class T> struct mat<2, 2, T> {
    typedef T value_type;
    vec<2, T> c0, c1;
    __device__ mat() = default;
    __device__ explicit mat(T s) : c0(s, T(0)), c1(T(0), s) {}
    __device__ mat(const vec<2, T> &column0, const vec<2, T> &column1) : c0(column0), c1(column1) {}
    __device__ mat(T m00, T m01, T m10, T m11)
        : c0(m00, m01), c1(m10, m11)
    {}
    __device__ explicit mat(const mat<3, 3, T> &m) : c0(m.c0.x, m.c0.y), c1(m.c1.x, m.c1.y) {}
    __device__ explicit mat(const mat<4, 4, T> &m) : c0(m.c0.x, m.c0.y), c1(m.c1.x, m.c1.y) {}
    __device__ vec<2, T> &operator[](length_t i) { return i == 0 ? c0 : c1; }
    __device__ const vec<2, T> &operator[](length_t i) const { return i == 0 ? c0 : c1; }
    static constexpr length_t length() { return 2; }
};

template <class T> struct mat<3, 3, T> {
    typedef T value_type;
    vec<3, T> c0, c1, c2;
    __device__ mat() = default;
    __device__ explicit mat(T s) : c0(s, T(0), T(0)), c1(T(0), s, T(0)), c2(T(0), T(0), s) {}
    __device__ mat(const vec<3, T> &column0, const vec<3, T> &column1, const vec<3, T> &column2)
        : c0(column0), c1(column1), c2(column2)
    {}
    __device__ mat(T m00, T m01, T m02, T m10, T m11, T m12, T m20, T m21, T m22)
        : c0(m00, m01, m02), c1(m10, m11, m12), c2(m20, m21, m22)
    {}
    __device__ explicit mat(const mat<2, 2, T> &m)
        : c0(m.c0.x, m.c0.y, T(0)), c1(m.c1.x, m.c1.y, T(0)), c2(T(0), T(0), T(1))
    {}
    __device__ explicit mat(const mat<4, 4, T> &m)
        : c0(m.c0.x, m.c0.y, m.c0.z), c1(m.c1.x, m.c1.y, m.c1.z), c2(m.c2.x, m.c2.y, m.c2.z)
    {}
    __device__ vec<3, T> &operator[](length_t i) { return i == 0 ? c0 : i == 1 ? c1 : c2; }
    __device__ const vec<3, T> &operator[](length_t i) const { return i == 0 ? c0 : i == 1 ? c1 : c2; }
    static constexpr length_t length() { return 3; }
};

template <class T> struct mat<4, 4, T> {
    typedef T value_type;
    vec<4, T> c0, c1, c2, c3;
    __device__ mat() = default;
    __device__ explicit mat(T s)
        : c0(s, T(0), T(0), T(0)), c1(T(0), s, T(0), T(0)), c2(T(0), T(0), s, T(0)), c3(T(0), T(0), T(0), s)
    {}
    __device__ mat(const vec<4, T> &column0, const vec<4, T> &column1, const vec<4, T> &column2,
                   const vec<4, T> &column3)
        : c0(column0), c1(column1), c2(column2), c3(column3)
    {}
    __device__ mat(T m00, T m01, T m02, T m03, T m10, T m11, T m12, T m13,
                   T m20, T m21, T m22, T m23, T m30, T m31, T m32, T m33)
        : c0(m00, m01, m02, m03), c1(m10, m11, m12, m13), c2(m20, m21, m22, m23), c3(m30, m31, m32, m33)
    {}
    __device__ explicit mat(const mat<2, 2, T> &m)
        : c0(m.c0.x, m.c0.y, T(0), T(0)), c1(m.c1.x, m.c1.y, T(0), T(0)),
          c2(T(0), T(0), T(1), T(0)), c3(T(0), T(0), T(0), T(1))
    {}
    __device__ explicit mat(const mat<3, 3, T> &m)
        : c0(m.c0.x, m.c0.y, m.c0.z, T(0)), c1(m.c1.x, m.c1.y, m.c1.z, T(0)),
          c2(m.c2.x, m.c2.y, m.c2.z, T(0)), c3(T(0), T(0), T(0), T(1))
    {}
    __device__ vec<4, T> &operator[](length_t i) { return i == 0 ? c0 : i == 1 ? c1 : i == 2 ? c2 : c3; }
    __device__ const vec<4, T> &operator[](length_t i) const { return i == 0 ? c0 : i == 1 ? c1 : i == 2 ? c2 : c3; }
    static constexpr length_t length() { return 4; }
};

template <class T> struct mat<2, 3, T> {
    typedef T value_type;
    vec<3, T> c0, c1;
    __device__ mat() = default;
    __device__ explicit mat(T s) : c0(s, T(0), T(0)), c1(T(0), s, T(0)) {}
    __device__ mat(const vec<3, T> &column0, const vec<3, T> &column1) : c0(column0), c1(column1) {}
    __device__ mat(T m00, T m01, T m02, T m10, T m11, T m12)
        : c0(m00, m01, m02), c1(m10, m11, m12)
    {}
    __device__ vec<3, T> &operator[](length_t i) { return i == 0 ? c0 : c1; }
    __device__ const vec<3, T> &operator[](length_t i) const { return i == 0 ? c0 : c1; }
    static constexpr length_t length() { return 2; }
};

template <class T> struct mat<3, 2, T> {
    typedef T value_type;
    vec<2, T> c0, c1, c2;
    __device__ mat() = default;
    __device__ explicit mat(T s) : c0(s, T(0)), c1(T(0), s), c2(T(0), T(0)) {}
    __device__ mat(const vec<2, T> &column0, const vec<2, T> &column1, const vec<2, T> &column2)
        : c0(column0), c1(column1), c2(column2)
    {}
    __device__ mat(T m00, T m01, T m10, T m11, T m20, T m21)
        : c0(m00, m01), c1(m10, m11), c2(m20, m21)
    {}
    __device__ vec<2, T> &operator[](length_t i) { return i == 0 ? c0 : i == 1 ? c1 : c2; }
    __device__ const vec<2, T> &operator[](length_t i) const { return i == 0 ? c0 : i == 1 ? c1 : c2; }
    static constexpr length_t length() { return 3; }
};

template <class T> __device__ mat<2, 2, T> operator-(const mat<2, 2, T> &a) { return mat<2, 2, T>(-a.c0, -a.c1); }
template <class T> __device__ mat<2, 2, T> operator+(const mat<2, 2, T> &a, const mat<2, 2, T> &b)
{
    return mat<2, 2, T>(a.c0 + b.c0, a.c1 + b.c1);
}
template <class T> __device__ mat<2, 2, T> &operator+=(mat<2, 2, T> &a, const mat<2, 2, T> &b)
{
    a.c0 += b.c0;
    a.c1 += b.c1;
    return a;
}
template <class T> __device__ mat<2, 2, T> operator-(const mat<2, 2, T> &a, const mat<2, 2, T> &b)
{
    return mat<2, 2, T>(a.c0 - b.c0, a.c1 - b.c1);
}
template <class T> __device__ mat<2, 2, T> &operator-=(mat<2, 2, T> &a, const mat<2, 2, T> &b)
{
    a.c0 -= b.c0;
    a.c1 -= b.c1;
    return a;
}
template <class T> __device__ mat<2, 2, T> operator*(const mat<2, 2, T> &a, T b)
{
    return mat<2, 2, T>(a.c0 * b, a.c1 * b);
}
template <class T> __device__ mat<2, 2, T> operator*(T a, const mat<2, 2, T> &b)
{
    return mat<2, 2, T>(a * b.c0, a * b.c1);
}
template <class T> __device__ mat<2, 2, T> operator/(const mat<2, 2, T> &a, T b)
{
    return mat<2, 2, T>(a.c0 / b, a.c1 / b);
}
template <class T> __device__ mat<2, 2, T> &operator*=(mat<2, 2, T> &a, T b) { a.c0 *= b; a.c1 *= b; return a; }
template <class T> __device__ mat<2, 2, T> &operator/=(mat<2, 2, T> &a, T b) { a.c0 /= b; a.c1 /= b; return a; }
template <class T> __device__ vec<2, T> operator*(const mat<2, 2, T> &m, const vec<2, T> &v)
{
    return vec<2, T>(m.c0.x * v.x + m.c1.x * v.y, m.c0.y * v.x + m.c1.y * v.y);
}
template <class T> __device__ vec<2, T> operator*(const vec<2, T> &v, const mat<2, 2, T> &m)
{
    return vec<2, T>(dot(v, m.c0), dot(v, m.c1));
}
template <class T> __device__ mat<2, 2, T> operator*(const mat<2, 2, T> &a, const mat<2, 2, T> &b)
{
    return mat<2, 2, T>(a * b.c0, a * b.c1);
}
template <class T> __device__ mat<3, 2, T> operator*(const mat<2, 2, T> &a, const mat<3, 2, T> &b)
{
    return mat<3, 2, T>(a * b.c0, a * b.c1, a * b.c2);
}
template <class T> __device__ mat<2, 2, T> transpose(const mat<2, 2, T> &m)
{
    return mat<2, 2, T>(m.c0.x, m.c1.x, m.c0.y, m.c1.y);
}
template <class T> __device__ mat<2, 2, T> matrixCompMult(const mat<2, 2, T> &a, const mat<2, 2, T> &b)
{
    return mat<2, 2, T>(a.c0 * b.c0, a.c1 * b.c1);
}
template <class T> __device__ mat<2, 2, T> outerProduct(const vec<2, T> &c, const vec<2, T> &r)
{
    return mat<2, 2, T>(c * r.x, c * r.y);
}

template <class T> __device__ mat<3, 3, T> operator-(const mat<3, 3, T> &a)
{
    return mat<3, 3, T>(-a.c0, -a.c1, -a.c2);
}
template <class T> __device__ mat<3, 3, T> operator+(const mat<3, 3, T> &a, const mat<3, 3, T> &b)
{
    return mat<3, 3, T>(a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2);
}
template <class T> __device__ mat<3, 3, T> &operator+=(mat<3, 3, T> &a, const mat<3, 3, T> &b)
{
    a.c0 += b.c0;
    a.c1 += b.c1;
    a.c2 += b.c2;
    return a;
}
template <class T> __device__ mat<3, 3, T> operator-(const mat<3, 3, T> &a, const mat<3, 3, T> &b)
{
    return mat<3, 3, T>(a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2);
}
template <class T> __device__ mat<3, 3, T> &operator-=(mat<3, 3, T> &a, const mat<3, 3, T> &b)
{
    a.c0 -= b.c0;
    a.c1 -= b.c1;
    a.c2 -= b.c2;
    return a;
}
template <class T> __device__ mat<3, 3, T> operator*(const mat<3, 3, T> &a, T b)
{
    return mat<3, 3, T>(a.c0 * b, a.c1 * b, a.c2 * b);
}
template <class T> __device__ mat<3, 3, T> operator*(T a, const mat<3, 3, T> &b)
{
    return mat<3, 3, T>(a * b.c0, a * b.c1, a * b.c2);
}
template <class T> __device__ mat<3, 3, T> operator/(const mat<3, 3, T> &a, T b)
{
    return mat<3, 3, T>(a.c0 / b, a.c1 / b, a.c2 / b);
}
template <class T> __device__ mat<3, 3, T> &operator*=(mat<3, 3, T> &a, T b)
{
    a.c0 *= b;
    a.c1 *= b;
    a.c2 *= b;
    return a;
}
template <class T> __device__ mat<3, 3, T> &operator/=(mat<3, 3, T> &a, T b)
{
    a.c0 /= b;
    a.c1 /= b;
    a.c2 /= b;
    return a;
}
template <class T> __device__ vec<3, T> operator*(const mat<3, 3, T> &m, const vec<3, T> &v)
{
        return vec<3, T>(m.c0.x * v.x + m.c1.x * v.y + m.c2.x * v.z, m.c0.y * v.x + m.c1.y * v.y + m.c2.y * v.z,
        m.c0.z * v.x + m.c1.z * v.y + m.c2.z * v.z);
}
template <class T> __device__ vec<3, T> operator*(const vec<3, T> &v, const mat<3, 3, T> &m)
{
    return vec<3, T>(dot(v, m.c0), dot(v, m.c1), dot(v, m.c2));
}
template <class T> __device__ mat<3, 3, T> operator*(const mat<3, 3, T> &a, const mat<3, 3, T> &b)
{
    return mat<3, 3, T>(a * b.c0, a * b.c1, a * b.c2);
}
template <class T> __device__ mat<2, 3, T> operator*(const mat<3, 3, T> &a, const mat<2, 3, T> &b)
{
    return mat<2, 3, T>(a * b.c0, a * b.c1);
}
template <class T> __device__ mat<3, 3, T> transpose(const mat<3, 3, T> &m)
{
    return mat<3, 3, T>(m.c0.x, m.c1.x, m.c2.x, m.c0.y, m.c1.y, m.c2.y, m.c0.z, m.c1.z, m.c2.z);
}
template <class T> __device__ mat<3, 3, T> matrixCompMult(const mat<3, 3, T> &a, const mat<3, 3, T> &b)
{
    return mat<3, 3, T>(a.c0 * b.c0, a.c1 * b.c1, a.c2 * b.c2);
}
template <class T> __device__ mat<3, 3, T> outerProduct(const vec<3, T> &c, const vec<3, T> &r)
{
    return mat<3, 3, T>(c * r.x, c * r.y, c * r.z);
}

template <class T> __device__ mat<4, 4, T> operator-(const mat<4, 4, T> &a)
{
    return mat<4, 4, T>(-a.c0, -a.c1, -a.c2, -a.c3);
}
template <class T> __device__ mat<4, 4, T> operator+(const mat<4, 4, T> &a, const mat<4, 4, T> &b)
{
    return mat<4, 4, T>(a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2, a.c3 + b.c3);
}
template <class T> __device__ mat<4, 4, T> &operator+=(mat<4, 4, T> &a, const mat<4, 4, T> &b)
{
    a.c0 += b.c0;
    a.c1 += b.c1;
    a.c2 += b.c2;
    a.c3 += b.c3;
    return a;
}
template <class T> __device__ mat<4, 4, T> operator-(const mat<4, 4, T> &a, const mat<4, 4, T> &b)
{
    return mat<4, 4, T>(a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2, a.c3 - b.c3);
}
template <class T> __device__ mat<4, 4, T> &operator-=(mat<4, 4, T> &a, const mat<4, 4, T> &b)
{
    a.c0 -= b.c0;
    a.c1 -= b.c1;
    a.c2 -= b.c2;
    a.c3 -= b.c3;
    return a;
}
template <class T> __device__ mat<4, 4, T> operator*(const mat<4, 4, T> &a, T b)
{
    return mat<4, 4, T>(a.c0 * b, a.c1 * b, a.c2 * b, a.c3 * b);
}
template <class T> __device__ mat<4, 4, T> operator*(T a, const mat<4, 4, T> &b)
{
    return mat<4, 4, T>(a * b.c0, a * b.c1, a * b.c2, a * b.c3);
}
template <class T> __device__ mat<4, 4, T> operator/(const mat<4, 4, T> &a, T b)
{
    return mat<4, 4, T>(a.c0 / b, a.c1 / b, a.c2 / b, a.c3 / b);
}
template <class T> __device__ mat<4, 4, T> &operator*=(mat<4, 4, T> &a, T b)
{
    a.c0 *= b;
    a.c1 *= b;
    a.c2 *= b;
    a.c3 *= b;
    return a;
}
template <class T> __device__ mat<4, 4, T> &operator/=(mat<4, 4, T> &a, T b)
{
    a.c0 /= b;
    a.c1 /= b;
    a.c2 /= b;
    a.c3 /= b;
    return a;
}
template <class T> __device__ vec<4, T> operator*(const mat<4, 4, T> &m, const vec<4, T> &v)
{
        return vec<4, T>(m.c0.x * v.x + m.c1.x * v.y + m.c2.x * v.z + m.c3.x * v.w, m.c0.y * v.x + m.c1.y * v.y +
        m.c2.y * v.z + m.c3.y * v.w, m.c0.z * v.x + m.c1.z * v.y + m.c2.z * v.z + m.c3.z * v.w, m.c0.w * v.x + m.c1.w
        * v.y + m.c2.w * v.z + m.c3.w * v.w);
}
template <class T> __device__ vec<4, T> operator*(const vec<4, T> &v, const mat<4, 4, T> &m)
{
    return vec<4, T>(dot(v, m.c0), dot(v, m.c1), dot(v, m.c2), dot(v, m.c3));
}
template <class T> __device__ mat<4, 4, T> operator*(const mat<4, 4, T> &a, const mat<4, 4, T> &b)
{
    return mat<4, 4, T>(a * b.c0, a * b.c1, a * b.c2, a * b.c3);
}
template <class T> __device__ mat<4, 4, T> transpose(const mat<4, 4, T> &m)
{
        return mat<4, 4, T>(m.c0.x, m.c1.x, m.c2.x, m.c3.x, m.c0.y, m.c1.y, m.c2.y, m.c3.y, m.c0.z, m.c1.z, m.c2.z,
        m.c3.z, m.c0.w, m.c1.w, m.c2.w, m.c3.w);
}
template <class T> __device__ mat<4, 4, T> matrixCompMult(const mat<4, 4, T> &a, const mat<4, 4, T> &b)
{
    return mat<4, 4, T>(a.c0 * b.c0, a.c1 * b.c1, a.c2 * b.c2, a.c3 * b.c3);
}
template <class T> __device__ mat<4, 4, T> outerProduct(const vec<4, T> &c, const vec<4, T> &r)
{
    return mat<4, 4, T>(c * r.x, c * r.y, c * r.z, c * r.w);
}

template <class T> __device__ mat<2, 3, T> operator-(const mat<2, 3, T> &a) { return mat<2, 3, T>(-a.c0, -a.c1); }
template <class T> __device__ mat<2, 3, T> operator+(const mat<2, 3, T> &a, const mat<2, 3, T> &b)
{
    return mat<2, 3, T>(a.c0 + b.c0, a.c1 + b.c1);
}
template <class T> __device__ mat<2, 3, T> &operator+=(mat<2, 3, T> &a, const mat<2, 3, T> &b)
{
    a.c0 += b.c0;
    a.c1 += b.c1;
    return a;
}
template <class T> __device__ mat<2, 3, T> operator-(const mat<2, 3, T> &a, const mat<2, 3, T> &b)
{
    return mat<2, 3, T>(a.c0 - b.c0, a.c1 - b.c1);
}
template <class T> __device__ mat<2, 3, T> &operator-=(mat<2, 3, T> &a, const mat<2, 3, T> &b)
{
    a.c0 -= b.c0;
    a.c1 -= b.c1;
    return a;
}
template <class T> __device__ mat<2, 3, T> operator*(const mat<2, 3, T> &a, T b)
{
    return mat<2, 3, T>(a.c0 * b, a.c1 * b);
}
template <class T> __device__ mat<2, 3, T> operator*(T a, const mat<2, 3, T> &b)
{
    return mat<2, 3, T>(a * b.c0, a * b.c1);
}
template <class T> __device__ mat<2, 3, T> operator/(const mat<2, 3, T> &a, T b)
{
    return mat<2, 3, T>(a.c0 / b, a.c1 / b);
}
template <class T> __device__ mat<2, 3, T> &operator*=(mat<2, 3, T> &a, T b) { a.c0 *= b; a.c1 *= b; return a; }
template <class T> __device__ mat<2, 3, T> &operator/=(mat<2, 3, T> &a, T b) { a.c0 /= b; a.c1 /= b; return a; }
template <class T> __device__ vec<3, T> operator*(const mat<2, 3, T> &m, const vec<2, T> &v)
{
    return vec<3, T>(m.c0.x * v.x + m.c1.x * v.y, m.c0.y * v.x + m.c1.y * v.y, m.c0.z * v.x + m.c1.z * v.y);
}
template <class T> __device__ vec<2, T> operator*(const vec<3, T> &v, const mat<2, 3, T> &m)
{
    return vec<2, T>(dot(v, m.c0), dot(v, m.c1));
}
template <class T> __device__ mat<2, 3, T> operator*(const mat<2, 3, T> &a, const mat<2, 2, T> &b)
{
    return mat<2, 3, T>(a * b.c0, a * b.c1);
}
template <class T> __device__ mat<3, 3, T> operator*(const mat<2, 3, T> &a, const mat<3, 2, T> &b)
{
    return mat<3, 3, T>(a * b.c0, a * b.c1, a * b.c2);
}
template <class T> __device__ mat<3, 2, T> transpose(const mat<2, 3, T> &m)
{
    return mat<3, 2, T>(m.c0.x, m.c1.x, m.c0.y, m.c1.y, m.c0.z, m.c1.z);
}
template <class T> __device__ mat<2, 3, T> matrixCompMult(const mat<2, 3, T> &a, const mat<2, 3, T> &b)
{
    return mat<2, 3, T>(a.c0 * b.c0, a.c1 * b.c1);
}
template <class T> __device__ mat<2, 3, T> outerProduct(const vec<3, T> &c, const vec<2, T> &r)
{
    return mat<2, 3, T>(c * r.x, c * r.y);
}

template <class T> __device__ mat<3, 2, T> operator-(const mat<3, 2, T> &a)
{
    return mat<3, 2, T>(-a.c0, -a.c1, -a.c2);
}
template <class T> __device__ mat<3, 2, T> operator+(const mat<3, 2, T> &a, const mat<3, 2, T> &b)
{
    return mat<3, 2, T>(a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2);
}
template <class T> __device__ mat<3, 2, T> &operator+=(mat<3, 2, T> &a, const mat<3, 2, T> &b)
{
    a.c0 += b.c0;
    a.c1 += b.c1;
    a.c2 += b.c2;
    return a;
}
template <class T> __device__ mat<3, 2, T> operator-(const mat<3, 2, T> &a, const mat<3, 2, T> &b)
{
    return mat<3, 2, T>(a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2);
}
template <class T> __device__ mat<3, 2, T> &operator-=(mat<3, 2, T> &a, const mat<3, 2, T> &b)
{
    a.c0 -= b.c0;
    a.c1 -= b.c1;
    a.c2 -= b.c2;
    return a;
}
template <class T> __device__ mat<3, 2, T> operator*(const mat<3, 2, T> &a, T b)
{
    return mat<3, 2, T>(a.c0 * b, a.c1 * b, a.c2 * b);
}
template <class T> __device__ mat<3, 2, T> operator*(T a, const mat<3, 2, T> &b)
{
    return mat<3, 2, T>(a * b.c0, a * b.c1, a * b.c2);
}
template <class T> __device__ mat<3, 2, T> operator/(const mat<3, 2, T> &a, T b)
{
    return mat<3, 2, T>(a.c0 / b, a.c1 / b, a.c2 / b);
}
template <class T> __device__ mat<3, 2, T> &operator*=(mat<3, 2, T> &a, T b)
{
    a.c0 *= b;
    a.c1 *= b;
    a.c2 *= b;
    return a;
}
template <class T> __device__ mat<3, 2, T> &operator/=(mat<3, 2, T> &a, T b)
{
    a.c0 /= b;
    a.c1 /= b;
    a.c2 /= b;
    return a;
}
template <class T> __device__ vec<2, T> operator*(const mat<3, 2, T> &m, const vec<3, T> &v)
{
    return vec<2, T>(m.c0.x * v.x + m.c1.x * v.y + m.c2.x * v.z, m.c0.y * v.x + m.c1.y * v.y + m.c2.y * v.z);
}
template <class T> __device__ vec<3, T> operator*(const vec<2, T> &v, const mat<3, 2, T> &m)
{
    return vec<3, T>(dot(v, m.c0), dot(v, m.c1), dot(v, m.c2));
}
template <class T> __device__ mat<3, 2, T> operator*(const mat<3, 2, T> &a, const mat<3, 3, T> &b)
{
    return mat<3, 2, T>(a * b.c0, a * b.c1, a * b.c2);
}
template <class T> __device__ mat<2, 2, T> operator*(const mat<3, 2, T> &a, const mat<2, 3, T> &b)
{
    return mat<2, 2, T>(a * b.c0, a * b.c1);
}
template <class T> __device__ mat<2, 3, T> transpose(const mat<3, 2, T> &m)
{
    return mat<2, 3, T>(m.c0.x, m.c1.x, m.c2.x, m.c0.y, m.c1.y, m.c2.y);
}
template <class T> __device__ mat<3, 2, T> matrixCompMult(const mat<3, 2, T> &a, const mat<3, 2, T> &b)
{
    return mat<3, 2, T>(a.c0 * b.c0, a.c1 * b.c1, a.c2 * b.c2);
}
template <class T> __device__ mat<3, 2, T> outerProduct(const vec<2, T> &c, const vec<3, T> &r)
{
    return mat<3, 2, T>(c * r.x, c * r.y, c * r.z);
}

template <class T> __device__ T determinant(const mat<2, 2, T> &m) { return m.c0.x * m.c1.y - m.c1.x * m.c0.y; }
template <class T> __device__ T determinant(const mat<3, 3, T> &m) { return dot(m.c0, cross(m.c1, m.c2)); }
template <class T> __device__ mat<2, 2, T> inverse(const mat<2, 2, T> &m)
{
    T d = T(1) / determinant(m);
    return mat<2, 2, T>(m.c1.y * d, -m.c0.y * d, -m.c1.x * d, m.c0.x * d);
}
// The rows of the inverse are the cross products of the columns over the determinant.
template <class T> __device__ mat<3, 3, T> inverse(const mat<3, 3, T> &m)
{
    vec<3, T> r0 = cross(m.c1, m.c2), r1 = cross(m.c2, m.c0), r2 = cross(m.c0, m.c1);
    T d = T(1) / dot(m.c0, r0);
    return mat<3, 3, T>(r0.x * d, r1.x * d, r2.x * d, r0.y * d, r1.y * d, r2.y * d, r0.z * d, r1.z * d, r2.z * d);
}

template <class T> __device__ mat<2, 2, T> make_mat2(const T *p)
{
    return mat<2, 2, T>(p[0], p[1], p[2], p[3]);
}
template <class T> __device__ mat<3, 3, T> make_mat3(const T *p)
{
    return mat<3, 3, T>(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]);
}
template <class T> __device__ mat<4, 4, T> make_mat4(const T *p)
{
        return mat<4, 4, T>(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13],
        p[14], p[15]);
}

typedef mat<2, 2, float> mat2;
typedef mat<3, 3, float> mat3;
typedef mat<4, 4, float> mat4;
typedef mat<2, 2, float> mat2x2;
typedef mat<3, 3, float> mat3x3;
typedef mat<4, 4, float> mat4x4;
typedef mat<2, 3, float> mat2x3;
typedef mat<3, 2, float> mat3x2;
typedef mat<2, 2, float> fmat2;
typedef mat<3, 3, float> fmat3;
typedef mat<4, 4, float> fmat4;
typedef mat<2, 2, float> fmat2x2;
typedef mat<3, 3, float> fmat3x3;
typedef mat<4, 4, float> fmat4x4;
typedef mat<2, 3, float> fmat2x3;
typedef mat<3, 2, float> fmat3x2;
typedef mat<2, 2, double> dmat2;
typedef mat<3, 3, double> dmat3;
typedef mat<4, 4, double> dmat4;
typedef mat<2, 2, double> dmat2x2;
typedef mat<3, 3, double> dmat3x3;
typedef mat<4, 4, double> dmat4x4;
typedef mat<2, 3, double> dmat2x3;
typedef mat<3, 2, double> dmat3x2;

}  // namespace glm
