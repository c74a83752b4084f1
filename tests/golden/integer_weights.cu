// s2sad: --of y --wrt x
// Integers become floating weights: of counters, of parameters, of data; division before and after.
extern "C" __global__ void integer_weights(const float *x, const int *votes, float *y, int n, unsigned int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (unsigned int k = 1; k <= terms; ++k)
        sum += x[(i + k) % n] * k / (float)(terms + votes[i]) + x[i] * (k / 2);
    y[i] = votes[i] * sum / terms;
}
