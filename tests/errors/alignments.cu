struct alignas(alignof(double)) Pair {
//                              ^^^^^^ not-supported: not differentiated yet
    float a, b;
};

__global__ void read(const Pair *p, float *y)
{
    y[threadIdx.x] = p[threadIdx.x].a;
}
