// s2sad: --of image --wrt centre,width,opacity,colour
// Each pixel blends all points, from front to back; few points take from many pixels.
#define BATCH 16
extern "C" __global__ void splat_image(const float *__restrict__ centre, const float *__restrict__ width,
                                       const float *__restrict__ opacity, const float *__restrict__ colour,
                                       float *__restrict__ image, int points, int pixels)
{
    __shared__ float c[BATCH];
    __shared__ float s[BATCH];
    __shared__ float o[BATCH];
    __shared__ float rgb[BATCH];
    int i = blockIdx.x * BATCH + threadIdx.x;
    int t = threadIdx.x;
    float light = 1.0f;
    float sum = 0.0f;
    for (int first = 0; first < points; first += BATCH) {
        if (first + t < points) {
            c[t] = centre[first + t];
            s[t] = width[first + t];
            o[t] = opacity[first + t];
            rgb[t] = colour[first + t];
        }
        __syncthreads();
        for (int k = 0; k < BATCH && first + k < points; ++k) {
            float d = (i * 0.1f - c[k]) / s[k];
            float alpha = o[k] * expf(-0.5f * d * d);
            sum += light * alpha * rgb[k];
            light *= 1.0f - alpha;
        }
        __syncthreads();
    }
    if (i < pixels)
        image[i] = sum;
}
