// s2sad: --of out --wrt gamma,lift
// Bytes in, floats out: what is differentiated are two curves that all pixels share.
extern "C" __global__ void byte_images(const unsigned char *image, const bool *mask, const float *gamma,
                                       const float *lift, float *out, size_t pixels, signed char channel)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels || !mask[i])
        return;
    unsigned char byte = image[3 * i + channel];
    float v = byte / 255.0f;
    out[i] = lift[byte >> 6] + (1.0f - lift[byte >> 6]) * powf(v, gamma[byte & 3]);
}
