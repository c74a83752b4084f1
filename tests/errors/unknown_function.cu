extern "C" __global__ void scale(const float *x, float *y)
{
    int i = threadIdx.x;
    y[i] = squashf(x[i]) + sinnf(x[i]);
//         ^^^^^^^ unknown-function: neither a `__device__` function of this file nor a built-in
//                         ^^^^^ unknown-function: neither a `__device__` function of this file nor a built-in; did you mean `sinf`?
}
