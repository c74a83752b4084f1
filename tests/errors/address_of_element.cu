extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = sinf(&x[i]);
//              ^^^^^ address-of: only an output argument of a built-in may be an address, as in `sincosf(x, &s, &c)`
}
