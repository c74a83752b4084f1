// A vector with each row of a matrix, a warp for each row.
__global__ void project(int rows, int width, const float *__restrict__ v, const float *__restrict__ z,
                        float *__restrict__ out)
{
    int lane = threadIdx.x, row = blockIdx.x;
    float sum = 0.0f;
    for (int k = lane; k < width; k += 32)
        sum += v[row * width + k] * z[k];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0)
        out[row] = tanhf(sum);
}
