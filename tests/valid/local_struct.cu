extern "C" __global__ void local_struct(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    struct Local {
        float a;
        int k;
        __device__ float get() const { return a * k; }
    };
    Local l{x[i], 2};
    enum { three = 3 };
    typedef float real;
    using other = float;
    real r = l.get();
    other o = three;
    y[i] = r * r * o;
}
