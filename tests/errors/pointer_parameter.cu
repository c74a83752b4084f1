__device__ float first(const float **v)
//                     ^^^^^^^^^^^^^^^ pointer-parameter: its target can't be determined
{
    return v[0][0];
}

__device__ const float *next(const float *v)
//               ^^^^^^^^^^^^^^^^^^^^^^^^^^ pointer-parameter: its target can't be determined
{
    return v + 1;
//         ^ pointer-value: only pointers into the same array can be compared
}

__device__ float second(const float *v)
{
    return v[1];
}

extern "C" __global__ void head(const float *x, const double *d, float *y)
{
    float s = x[0];
    y[threadIdx.x] = first(&x) + second(&s) + second(d) + second(s);
//                   ^^^^^^^^^ wrong-arguments: no matching overload
    y[0] = *next(x);
}
