// Complex numbers, called as in thrust and laid out as its are.
namespace thrust_reals {
template <class T> __device__ T exp_of(T v) { return exp(v); }  // below, `exp` is that of complex numbers
}

namespace thrust {

template <class T> struct alignas(2 * sizeof(T)) complex {
    typedef T value_type;
    T re, im;
    __device__ complex() : re(T(0)), im(T(0)) {}
    __device__ complex(T re_) : re(re_), im(T(0)) {}
    __device__ complex(T re_, T im_) : re(re_), im(im_) {}
    __device__ T real() const { return re; }
    __device__ T imag() const { return im; }
    __device__ complex &operator+=(const complex &b)
    {
        re += b.re;
        im += b.im;
        return *this;
    }
    __device__ complex &operator-=(const complex &b)
    {
        re -= b.re;
        im -= b.im;
        return *this;
    }
    __device__ complex &operator*=(const complex &b)
    {
        T r = re * b.re - im * b.im;
        im = re * b.im + im * b.re;
        re = r;
        return *this;
    }
    __device__ complex &operator/=(const complex &b)
    {
        T d = b.re * b.re + b.im * b.im;
        T r = (re * b.re + im * b.im) / d;
        im = (im * b.re - re * b.im) / d;
        re = r;
        return *this;
    }
};

template <class T> __device__ complex<T> operator+(const complex<T> &a) { return a; }
template <class T> __device__ complex<T> operator-(const complex<T> &a) { return complex<T>(-a.re, -a.im); }
template <class T> __device__ complex<T> operator+(const complex<T> &a, const complex<T> &b)
{
    return complex<T>(a.re + b.re, a.im + b.im);
}
template <class T> __device__ complex<T> operator-(const complex<T> &a, const complex<T> &b)
{
    return complex<T>(a.re - b.re, a.im - b.im);
}
template <class T> __device__ complex<T> operator*(const complex<T> &a, const complex<T> &b)
{
    return complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
template <class T> __device__ complex<T> operator/(const complex<T> &a, const complex<T> &b)
{
    T d = b.re * b.re + b.im * b.im;
    return complex<T>((a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d);
}
template <class T> __device__ complex<T> operator+(const complex<T> &a, typename complex<T>::value_type s)
{
    return complex<T>(a.re + s, a.im);
}
template <class T> __device__ complex<T> operator+(typename complex<T>::value_type s, const complex<T> &a)
{
    return complex<T>(s + a.re, a.im);
}
template <class T> __device__ complex<T> operator-(const complex<T> &a, typename complex<T>::value_type s)
{
    return complex<T>(a.re - s, a.im);
}
template <class T> __device__ complex<T> operator-(typename complex<T>::value_type s, const complex<T> &a)
{
    return complex<T>(s - a.re, -a.im);
}
template <class T> __device__ complex<T> operator*(const complex<T> &a, typename complex<T>::value_type s)
{
    return complex<T>(a.re * s, a.im * s);
}
template <class T> __device__ complex<T> operator*(typename complex<T>::value_type s, const complex<T> &a)
{
    return complex<T>(s * a.re, s * a.im);
}
template <class T> __device__ complex<T> operator/(const complex<T> &a, typename complex<T>::value_type s)
{
    return complex<T>(a.re / s, a.im / s);
}
template <class T> __device__ complex<T> operator/(typename complex<T>::value_type s, const complex<T> &a)
{
    T d = a.re * a.re + a.im * a.im;
    return complex<T>(s * a.re / d, -s * a.im / d);
}
template <class T> __device__ bool operator==(const complex<T> &a, const complex<T> &b)
{
    return a.re == b.re && a.im == b.im;
}
template <class T> __device__ bool operator!=(const complex<T> &a, const complex<T> &b)
{
    return a.re != b.re || a.im != b.im;
}

template <class T> __device__ T norm(const complex<T> &a) { return a.re * a.re + a.im * a.im; }
template <class T> __device__ T abs(const complex<T> &a) { return hypot(a.re, a.im); }
template <class T> __device__ T arg(const complex<T> &a) { return atan2(a.im, a.re); }
template <class T> __device__ complex<T> conj(const complex<T> &a) { return complex<T>(a.re, -a.im); }
template <class T> __device__ complex<T> polar(const T &m, const T &theta = T())
{
    return complex<T>(m * cos(theta), m * sin(theta));
}
template <class T> __device__ complex<T> exp(const complex<T> &a)
{
    T m = thrust_reals::exp_of(a.re);
    return complex<T>(m * cos(a.im), m * sin(a.im));
}

}  // namespace thrust
