#include <cstdint>
#include <cstddef>
extern "C" __global__ void int_types(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    signed char a = 1;
    unsigned char b = 2;
    short int c = 3;
    unsigned short d = 4;
    long int e = 5;
    unsigned long long int f = 6;
    int8_t g = 7;
    uint32_t h = 8;
    std::size_t u = 1;
    wchar_t w = 1;
    char16_t v = 1;
    y[i] = x[i] * x[i] * (a + b + c + d + e + f + g + h + u + w + v);
}
