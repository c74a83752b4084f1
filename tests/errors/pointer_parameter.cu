__device__ float first(const float **v)
//                     ^^^^^^^^^^^^^^^ pointer-parameter: what it points to can't be followed
{
    return v[0][0];
}

__device__ const float *next(const float *v)
//               ^^^^^^^^^^^^^^^^^^^^^^^^^^ pointer-parameter: what it points to can't be followed
{
    return v + 1;
//         ^ pointer-value: only two pointers into one array are compared
}

__device__ float second(const float *v)
{
    return v[1];
}

extern "C" __global__ void head(const float *x, const double *d, float *y)
{
    float s = x[0];
    y[threadIdx.x] = first(&x) + second(&s) + second(d) + second(s);
//                   ^^^^^^^^^ wrong-arguments: no overload fits
    y[0] = *next(x);
}
