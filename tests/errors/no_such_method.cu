struct Wave {
    float k;
    __device__ float at(float v) const { return k * v; }
};

extern "C" __global__ void kernel(const Wave *w, const float *x, float *y)
{
    int i = threadIdx.x;
    y[i] = w[i].slope(x[i]);
//         ^^^^^^^^^^^^^^^^ type-error: not found, or not a device function
}
