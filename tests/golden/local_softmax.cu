// --of y --wrt x
// Softmax of eight numbers in an array of the thread's own, normalised in place.
__global__ void local_softmax(const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[8];
    float s = 0.0f;
    for (int k = 0; k < 8; ++k) {
        v[k] = expf(x[i * 8 + k]);
        s += v[k];
    }
    for (int k = 0; k < 8; ++k)
        v[k] /= s;
    for (int k = 0; k < 8; ++k)
        y[i * 8 + k] = v[k] * v[k] + v[7 - k] * s;
}
