struct Pair {
    float a, b;
};

__device__ float twice(const float *x)
{
    struct Own {
        float a;
    };
    Own own = {x[0]};
    return 2.0f * own.a;
}

__global__ void scale(const float *x, const Pair *p, float *y)
{
    struct Own {
//  ^^^^^^^^^^^^ not-supported: not differentiated yet
        float c;
    };
    struct Pair {
//  ^^^^^^^^^^^^^ not-supported: not differentiated yet
        float d;
    };
    Own own = {x[threadIdx.x]};
    y[threadIdx.x] = own.c * twice(x) + p[0].a;
}
