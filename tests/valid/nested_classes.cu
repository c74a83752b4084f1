struct Outer {
    struct Inner {
        float v;
    };
    Inner in;
};
extern "C" __global__ void nested_classes(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Outer::Inner in{x[i]};
    Outer o{in};
    y[i] = o.in.v * Outer::Inner{2.0f}.v * in.v;
}
