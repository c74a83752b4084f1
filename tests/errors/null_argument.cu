struct Pair {
    float a, b;
};

__device__ Pair first(const float *p, float v)
{
    Pair pair = {v, v};
    if (p)
        pair.a = p[0];
    pair.b *= p[1];
//            ^^^^ pointer-value: only pointers into the same array can be compared
    return pair;
}

__device__ float second(const float *p, float *q)
{
    *q = p[0];
//       ^^^^ pointer-value: only pointers into the same array can be compared
    return p[1];
//         ^^^^ pointer-value: only pointers into the same array can be compared
}

__global__ void k(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s;
    float t = second(nullptr, &s);
    Pair pair = first(nullptr, x[i]);
    y[i] = pair.a * pair.b * s * t;
}
