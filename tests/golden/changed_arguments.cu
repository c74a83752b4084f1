// Functions of structs that change an argument and have a value, in declarations and expressions.

struct Ring {
    float a, b;
};

__device__ Ring turned(float *t, float v)
{
    *t += v * v;
    Ring r = {*t, v};
    return r;
}

__device__ float stepped(Ring &r)
{
    r.a = sinf(r.a) * r.b;
    return r.a;
}

__global__ void changed_arguments(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i], sum = 0.0f;
    Ring r = turned(&a, 0.5f * a);
    Ring q[2];
    int k = 0;
    q[k++] = {a, a *= 1.5f};
    q[k] = turned(&a, r.b);
    sum += stepped(r) * a;
    sum += q[k].a > 0.0f ? stepped(r) : q[0].b * q[0].a;
    y[i] = sum + r.a;
}
