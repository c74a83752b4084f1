// refused: not-supported
__device__ void mix(const float &in, float &out, float by)
{
    out *= by;
    out += in;
}
extern "C" __global__ void reference_argument_to_one_of_two(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i], t = 2.0f;
    mix(m[i] > 1 ? s : t, s, x[i]);
    y[i] = s * t;
}
