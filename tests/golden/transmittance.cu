// s2sad: --of color --wrt density,emission,sky
// Light along a ray, front to back: each sample lets a part of what is behind it through. The loop ends where
// almost nothing gets through, so that the reverse sweep divides the transmittance back instead of recording it.
__global__ void transmittance(const float *__restrict__ density, const float *__restrict__ emission,
                              const float *__restrict__ sky, float *__restrict__ color, int rays, int samples,
                              float step)
{
    int ray = blockIdx.x * blockDim.x + threadIdx.x;
    if (ray >= rays)
        return;
    float T = 1.0f, light = 0.0f;
    for (int k = 0; k < samples; ++k) {
        float alpha = 1.0f - expf(-density[ray * samples + k] * step);
        float next = T * (1.0f - alpha);
        if (next < 1e-4f)
            break;
        light += T * alpha * emission[k];
        T = next;
    }
    color[ray] = light + T * sky[ray];
}
