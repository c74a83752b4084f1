// s2sad: --of y --wrt x,w
// Of a template the compiler takes the specialisation for float, which has a formula of its own.
template <typename T>
__global__ void soften(const T *x, const T *w, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = w[0] * log(T(1) + exp(x[i]));
}

template <>
__global__ void soften<float>(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float most = fmaxf(x[i], 0.0f);
        y[i] = w[0] * (most + log1pf(expf(-fabsf(x[i]))));
    }
}

__global__ void soften(const float *x, const float *w, float *y, int n, float slope)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] > 0.0f ? x[i] : slope * w[0] * x[i];
}

void run(const float *x, const float *w, float *y, int n)
{
    soften<float><<<(n + 63) / 64, 64>>>(x, w, y, n);
}
