struct Plus {
    __device__ float operator()(float a, float b) const { return a + b; }
};

extern "C" __global__ void scale(const float *x, float *y, Plus plus, Plus *others)
//                                                                    ^^^^^^^^^^^^ not-supported: not differentiated yet
{
    y[threadIdx.x] = plus(x[threadIdx.x], 1.0f);
}
