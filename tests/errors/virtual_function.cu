struct Wave {
    float k;
    virtual __device__ float at(float v) { return k * v; }
//  ^^^^^^^ no-classes: this feature of C++ is not differentiated
};

extern "C" __global__ void kernel(const Wave *w, const float *x, float *y)
{
    int i = threadIdx.x;
    y[i] = w[i].k * x[i];
}
