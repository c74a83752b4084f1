// An unsigned counter passes zero, to the largest value.
#define K 6
extern "C" __global__ void unsigned_to_minus_one(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[K];
    for (int a = 0; a < K; ++a) v[a] = x[i * K + a];
    float s = 1.0f;
    for (unsigned j = 3; j != -1; --j) s = s * v[j] + v[j + 1];
    y[i] = s;
}
