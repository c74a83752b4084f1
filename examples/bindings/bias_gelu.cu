// Neural networks: add a bias to each row, then GELU in the tanh form, in float, double or half.

// What is computed with: half is for storage.
template <typename T> struct Wide { typedef float type; };
template <> struct Wide<double> { typedef double type; };

// s2sad: launch grid=(n+255)/256 block=256 n=x.size width=bias.size y=x
template <typename T>
__global__ void bias_gelu(const T *__restrict__ x, const T *__restrict__ bias, T *__restrict__ y, int n, int width)
{
    typedef typename Wide<T>::type Real;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Real v = Real(x[i]) + Real(bias[i % width]);
    Real inner = Real(0.7978845608028654) * (v + Real(0.044715) * v * v * v);
    y[i] = T(Real(0.5) * v * (Real(1) + tanh(inner)));
}
