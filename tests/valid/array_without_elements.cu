// refused: not-supported
extern "C" __global__ void array_without_elements(const float *x, const int *m, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v[0];
    y[i] = x[i] * x[i];
}
