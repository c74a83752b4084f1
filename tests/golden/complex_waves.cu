// Complex numbers of thrust, in arrays and as values.
// s2sad: --of z,power --wrt w,at,strength,x
#include <thrust/complex.h>

typedef thrust::complex<float> value;

__device__ value wave(const value &k, float r)
{
    const value phase = value(-0.2f, 1.5f) * k * r;
    return (thrust::exp(phase) + 0.1f * phase) / (1.0f + r);
}

extern "C" __global__ void complex_waves(const value *w, const value *at, const float *strength, const float *x,
                                         value *z, float *power, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    value sum(0.5f, 0.0f);
    for (int k = 0; k < 3; k++) {
        value d = at[k] - x[i];
        sum += strength[k] * wave(w[k], thrust::abs(d));
        sum -= thrust::conj(d) * w[i % 3];
    }
    float far = 1.5f * x[i];
    sum *= thrust::polar(far, x[i]);
    sum /= value(2.0f, x[i]);
    z[i] = -sum + sum / 4.0f;
    power[i] = thrust::norm(sum) * (sum * w[0]).imag() + thrust::arg(sum);
}
