// --of z --wrt x,w
// Subtracts the weighted mean from each row, by two sums over a block.
#define BLOCK 64
__global__ void weighted_centre(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ z,
                                int d, float eps)
{
    __shared__ float part[BLOCK];
    int t = threadIdx.x;
    int row = blockIdx.x * d;
    float weights = 0.0f;
    float moment = 0.0f;
    for (int k = t; k < d; k += BLOCK) {
        float e = w[row + k] * w[row + k];
        weights += e;
        moment += e * x[row + k];
    }
    part[t] = weights;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    float total = part[0];
    __syncthreads();
    part[t] = moment;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    float mean = part[0] / (total + eps);
    for (int k = t; k < d; k += BLOCK)
        z[row + k] = (x[row + k] - mean) * w[row + k];
}
