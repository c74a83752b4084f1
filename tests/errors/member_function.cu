struct Wave {
    float k;
    __device__ float at(float v) { return k * v; }
};

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    Wave w;
    y[i] = w.at(x[i]);
//         ^^^^^^^^^^ function-pointer: which function runs is not known here
}
