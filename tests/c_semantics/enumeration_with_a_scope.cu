// [dcl.enum]: a scoped enumeration converts by a cast alone, and is compared as it is.
enum class Side : unsigned char { left = 250, middle, right = 255 };
extern "C" __global__ void enumeration_with_a_scope(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    Side side = m[i] & 1 ? Side::left : Side::right;
    if (side == Side::left)
        s = sinf(s) * x[2];
    s *= x[static_cast<int>(side) & 7];
    unsigned char next = static_cast<unsigned char>(side) + 1;
    s *= x[next & 15] + s;
    y[i] = side > Side::middle ? s : s * s;
}
