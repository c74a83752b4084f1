// The answer for each sequence, from its last hidden state.
// s2sad: --of y --wrt h,v
extern "C" __global__ void readout(const float *h, const float *v, float *y, int batch, int hidden)
{
    int sequence = blockIdx.x * blockDim.x + threadIdx.x;
    if (sequence >= batch)
        return;
    float sum = 0.0f;
    for (int j = 0; j < hidden; ++j)
        sum += v[j] * h[sequence * hidden + j];
    y[sequence] = tanhf(sum);
}
