// [expr.post.incr], [expr.unary.op]: *p++ moves the pointer, (*p)++ and ++*p change what it points to.
extern "C" __global__ void increment_through_a_pointer(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float v[6];
    for (int k = 0; k < 6; ++k)
        v[k] = s * x[k] + s;
    float *p = v;
    s = sinf(*p++) * s;
    s *= *++p + s;
    ++*p;
    (*p)--;
    *p++ = s * s;
    *p *= 2.0f;
    const float *q = x + m[i];
    s *= *q++;
    s += *q * s;
    y[i] = s * v[2] * v[3] + *(p - 1);
}
