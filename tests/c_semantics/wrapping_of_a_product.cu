// [basic.fundamental]: a generator of numbers modulo 2^32, each of which picks an element.
extern "C" __global__ void wrapping_of_a_product(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned state = m[i] + 17;
    for (int k = 0; k < 5; ++k) {
        state = state * 1664525u + 1013904223u;
        s = sinf(s) * x[state >> 28] + s;
    }
    y[i] = s;
}
