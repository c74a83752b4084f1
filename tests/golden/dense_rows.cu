// s2sad: --of y --wrt weight,bias,scale,x
// A layer for a batch of rows, one thread per output: the threads of a column have its weights in common.
#define TILE 8

extern "C" __global__ void dense_rows(const float *__restrict__ weight, const float *__restrict__ bias,
                                      const float *__restrict__ scale, const float *__restrict__ x,
                                      float *__restrict__ y, int rows, int inputs, int outputs)
{
    int o = blockIdx.x * TILE + threadIdx.x;
    int r = blockIdx.y * TILE + threadIdx.y;
    if (o >= outputs || r >= rows)
        return;
    float z = bias[o];
    float gain = expf(scale[r]);
    for (int i = 0; i < inputs; ++i)
        z += weight[i * outputs + o] * sinf(x[r * inputs + i]);
    y[r * outputs + o] = gain * tanhf(z);
}
