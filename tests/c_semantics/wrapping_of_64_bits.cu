// [basic.fundamental]: arithmetic modulo 2^64, with shifts of all its bits.
extern "C" __global__ void wrapping_of_64_bits(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned long long h = 1469598103934665603ull;
    for (int k = 0; k <= m[i]; ++k) {
        h = (h ^ k) * 1099511628211ull;
        s = sinf(s) * x[h >> 60] + x[h & 15];
        h ^= h << 13;
        h ^= h >> 7;
    }
    y[i] = s;
}
