union U {
    float f;
    int k;
};
extern "C" __global__ void union_(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    U u;
    u.f = x[i];
    y[i] = u.f * u.f;
}
