// [basic.fundamental]: whether char has a sign is the implementation's; with nvcc on x86 it has one.
extern "C" __global__ void sign_of_plain_char(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    char c = 200 + m[i];
    unsigned char u = c;
    signed char t = c;
    s = sinf(s) * (c < 0 ? x[1] : x[2]);
    s *= x[u > 127 ? 3 : 4] * (t == c ? x[5] : x[6]);
    s *= x[(c >> 4) + 8];
    y[i] = s * (c == u ? 0.0f : s);
}
