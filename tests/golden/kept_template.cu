// s2sad: --of y --wrt x,w,a --keep-template
// A template whose adjoint stays one: types, literals and functions are those of its parameter.
template <class T>
__device__ T soft(T v, T a)
{
    return v / (T(1) + a * fabs(v)) + exp(-v);
}

template <class T>
__global__ void settle(const T *x, const T *w, T *y, T a, int n, int steps)
{
    __shared__ T first[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    first[threadIdx.x] = i < n ? x[i] * T(0.5) : T(0);
    __syncthreads();
    if (i >= n)
        return;
    T s = x[i] + first[0];
    for (int t = 0; t < steps; ++t)
        s += T(0.1) * w[t] * soft(sin(s), a);
    y[i] = s * s;
}

template __global__ void settle<double>(const double *, const double *, double *, double, int, int);
