// bands_adj: adjoint of bands (struct_copy_is_changed.cu:39).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform struct_copy_is_changed.cu --of y --wrt x
//
// Call with x as it was before bands. Seed adj_y with dJ/dy: it is left alone, because
// bands stores each element of y at most once. dJ/dx is added to adj_x. y is neither
// read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]                   reloaded                  nothing stores to it
//   band.c[..] (line 11),   reloaded                  no later store goes to it
//   band.c[..] (line 49),
//   band.c[..] (line 30)
//   end[1]                  tape_band_c, a register   line 30 overwrites it
//   sum                     reloaded                  still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Band {
    float c[3];
};

__global__ void bands_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Band band;
    band.c[0] = x[i];
    band.c[1] = x[i] * x[i];
    band.c[2] = sinf(x[i]);
    Band band_2 = band;
    band_2.c[0] *= 2.0f;
    band_2.c[1] = band_2.c[0] * band_2.c[2];
    float sum = band_2.c[0] + band_2.c[1];
    Band band_3 = band;
    band_3.c[0] *= 3.0f;
    sum += band_3.c[0] * band_3.c[1] * band.c[1];
    Band band_4 = band;
    float tape_band_c = band_4.c[2];
    band_4.c[2] *= band_4.c[0];
    sum += band_4.c[2] * band.c[2];
    Band adj_band = {};

    // 51:  y[i] = sum * of(band, 0)
    float g = adj_y[i];
    float adj_sum = band.c[0] * g;
    adj_band.c[0] += sum * g;
    Band adj_band_4 = {};

    // 50:  sum += by_pointer(band) * of(band, 2)
    adj_band_4.c[2] += band.c[2] * adj_sum;
    adj_band.c[2] += band_4.c[2] * adj_sum;

    // 30:  end[1] *= band.c[0]
    float g_2 = adj_band_4.c[2];
    adj_band_4.c[2] = band_4.c[0] * g_2;
    adj_band_4.c[0] += tape_band_c * g_2;

    // 50:  band
    adj_band.c[2] += adj_band_4.c[2];
    adj_band.c[1] += adj_band_4.c[1];
    adj_band.c[0] += adj_band_4.c[0];
    Band adj_band_3 = {};

    // 49:  sum += by_reference(band) * of(band, 1)
    float g_3 = band.c[1] * adj_sum;
    adj_band_3.c[0] += band_3.c[1] * g_3;
    adj_band_3.c[1] += band_3.c[0] * g_3;
    adj_band.c[1] += band_3.c[0] * band_3.c[1] * adj_sum;

    // 23:  own.c[0] *= 3.0f
    adj_band_3.c[0] *= 3.0f;

    // 49:  band
    adj_band.c[2] += adj_band_3.c[2];
    adj_band.c[1] += adj_band_3.c[1];
    adj_band.c[0] += adj_band_3.c[0];
    Band adj_band_2 = {};

    // 48:  float sum = by_function(band)
    adj_band_2.c[0] += adj_sum;
    adj_band_2.c[1] += adj_sum;

    // 11:  band.c[1] = band.c[0] * band.c[2]
    float g_4 = adj_band_2.c[1];
    adj_band_2.c[1] = 0.0f;
    adj_band_2.c[0] += band_2.c[2] * g_4;
    adj_band_2.c[2] += band_2.c[0] * g_4;

    // 10:  band.c[0] *= 2.0f
    adj_band_2.c[0] *= 2.0f;

    // 48:  band
    adj_band.c[2] += adj_band_2.c[2];
    adj_band.c[1] += adj_band_2.c[1];
    adj_band.c[0] += adj_band_2.c[0];

    // 47:  band.c[2] = sinf(x[i])
    adj_x[i] += cosf(x[i]) * adj_band.c[2];
    // 46:  band.c[1] = x[i] * x[i]
    adj_x[i] += 2.0f * x[i] * adj_band.c[1];
    // 45:  band.c[0] = x[i]
    adj_x[i] += adj_band.c[0];
}
