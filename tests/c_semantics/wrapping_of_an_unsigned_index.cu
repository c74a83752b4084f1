// [basic.fundamental]: arithmetic of unsigned integers is modulo a power of two.
extern "C" __global__ void wrapping_of_an_unsigned_index(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned k = m[i];
    k -= 9;
    s = sinf(s) * x[k % 16];
    k += 10;
    s *= x[k];
    k = k * 2654435761u;
    s *= x[k >> 28];
    y[i] = s * s;
}
