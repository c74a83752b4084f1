// byte_images_adj: adjoint of byte_images (byte_images.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform byte_images.cu --of out --wrt gamma,lift
//
// Call with image, mask, gamma and lift as they were before byte_images. Seed adj_out
// with dJ/dout: it is left alone, because byte_images stores each element of out at
// most once. dJ/dgamma is added to adj_gamma; dJ/dlift is added to adj_lift. out is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v                     reloaded   still in its variable
//   gamma[..], lift[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_lift[..]    atomicAdd   not proved that two threads never meet in lift[byte >>
//                               6]
//   adj_gamma[..]   atomicAdd   not proved that two threads never meet in gamma[byte &
//                               3]
//
// At kinks and singular points:
//   powf: where the base isn't positive, the exponent takes nothing
//
// Assumed: channel >= 0, the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void byte_images_adj(const unsigned char *image, const bool *mask,
                                           const float *gamma, float *adj_gamma,
                                           const float *lift, float *adj_lift,
                                           float *out, const float *adj_out, size_t pixels,
                                           signed char channel)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels || !mask[i])
        return;
    unsigned char byte = image[3 * i + channel];
    float v = byte / 255.0f;

    // 11:  out[i] = lift[byte >> 6] + (1.0f - lift[byte >> 6]) * powf(v, gamma[byte & 3])
    float g = adj_out[i];
    atomicAdd(&adj_lift[byte >> 6], g - powf(v, gamma[byte & 3]) * g);
    if (v > 0.0f)
        atomicAdd(&adj_gamma[byte & 3],
                  (1.0f - lift[byte >> 6]) * powf(v, gamma[byte & 3]) * logf(v) * g);
}
