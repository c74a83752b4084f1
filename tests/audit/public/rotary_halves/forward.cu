// A rotary embedding: each half of a head is turned against the other, with a table of angles for the whole head.
__global__ void rotate(int tokens, int width, const float *__restrict__ cosine, const float *__restrict__ sine,
                       const float *__restrict__ x, float *__restrict__ y)
{
    int t = blockIdx.x, i = threadIdx.x, half = width / 2;
    float other = i < half ? -x[t * width + i + half] : x[t * width + i - half];
    y[t * width + i] = x[t * width + i] * cosine[t * width + i] + other * sine[t * width + i];
}
