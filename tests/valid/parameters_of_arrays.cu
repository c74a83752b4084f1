__device__ float first(const float v[4]) { return v[0] * v[1]; }
__device__ float all(const float (&v)[4]) { return v[0] + v[3]; }
__device__ float trace(float w[][2]) { return w[0][0] + w[1][1]; }
extern "C" __global__ void parameters_of_arrays(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[4] = {x[i], x[i + 1], 1.0f, 2.0f};
    float w[2][2] = {{x[i], 1.0f}, {2.0f, x[i]}};
    y[i] = first(v) * all(v) * trace(w);
}
