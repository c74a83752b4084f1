// phong_adj: adjoint of phong (phong.cu:8).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform phong.cu --of shade --wrt nx,ny,nz,lx,ly,lz,shininess
//
// Call with nx, ny and nz as they were before phong. Seed adj_shade with dJ/dshade: it
// is left alone, because phong stores each element of shade at most once. dJ/dnx is
// added to adj_nx; dJ/dny is added to adj_ny; dJ/dnz is added to adj_nz; dJ/dlx is
// added to adj_lx; dJ/dly is added to adj_ly; dJ/dlz is added to adj_lz; dJ/dshininess
// is added to adj_shininess. shade is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   inv, x, y, z, nl, light,   reloaded   still in its variable
//   reflected
//   nx[..], ny[..], nz[..]     reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_nx[..]      +=, one owner       one thread per element
//   adj_ny[..]      +=, one owner       one thread per element
//   adj_nz[..]      +=, one owner       one thread per element
//   adj_lx          reduced per block   every thread has its share in it
//   adj_ly          reduced per block   every thread has its share in it
//   adj_lz          reduced per block   every thread has its share in it
//   adj_shininess   reduced per block   every thread has its share in it
//
// At kinks and singular points:
//   powf: where its partial is infinite a zero adjoint contributes zero
//   powf: where the base isn't positive, the exponent takes nothing
//   fminf: at a tie the first argument takes the whole adjoint
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

static __device__ float dot3(float ax, float ay, float az, float bx, float by, float bz)
{
    return ax * bx + ay * by + az * bz;
}

static __device__ void dot3_adj(float ax, float *adj_ax,
                                float ay, float *adj_ay,
                                float az, float *adj_az,
                                float bx, float *adj_bx,
                                float by, float *adj_by,
                                float bz, float *adj_bz, float adj_dot3)
{
    // 5:  return ax * bx + ay * by + az * bz
    *adj_ax += bx * adj_dot3;
    *adj_bx += ax * adj_dot3;
    *adj_ay += by * adj_dot3;
    *adj_by += ay * adj_dot3;
    *adj_az += bz * adj_dot3;
    *adj_bz += az * adj_dot3;
}

extern "C" __global__ void phong_adj(const float *nx, float *adj_nx,
                                     const float *ny, float *adj_ny,
                                     const float *nz, float *adj_nz,
                                     float lx, float *adj_lx,
                                     float ly, float *adj_ly,
                                     float lz, float *adj_lz,
                                     float shininess, float *adj_shininess,
                                     float *shade, const float *adj_shade, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_ly_sum = 0.0f;
    float adj_lx_sum = 0.0f;
    float adj_lz_sum = 0.0f;
    float adj_shininess_sum = 0.0f;
    if (i < n) {
        float inv = rsqrtf(dot3(nx[i], ny[i], nz[i], nx[i], ny[i], nz[i]));
        float x = nx[i] * inv;
        float y = ny[i] * inv;
        float z = nz[i] * inv;
        float nl = dot3(x, y, z, lx, ly, lz);
        float light = 0.1f;
        if (nl > 0.0f) {
            float reflected = 2.0f * nl * z - lz;  // the eye looks along z
            light += 0.7f * nl;
            if (reflected > 0.0f)
                light += 0.2f * powf(reflected, shininess);
        }
        float adj_light = 0.0f;

        // 24:  shade[i] = fminf(light, 1.0f)
        if (light <= 1.0f)
            adj_light = adj_shade[i];
        float adj_z = 0.0f;
        float adj_nl = 0.0f;
        if (nl > 0.0f) {
            float reflected = 2.0f * nl * z - lz;
            float adj_reflected = 0.0f;
            if (reflected > 0.0f) {
                // 22:  light += 0.2f * powf(reflected, shininess)
                float g = 0.2f * adj_light;
                if (g != 0.0f && shininess != 0.0f)
                    adj_reflected = shininess * powf(reflected, shininess - 1.0f) * g;
                if (reflected > 0.0f)
                    adj_shininess_sum = powf(reflected, shininess) * logf(reflected) * g;
            }

            // 20:  light += 0.7f * nl
            adj_nl = 0.7f * adj_light;

            // 19:  float reflected = 2.0f * nl * z - lz
            adj_nl += 2.0f * z * adj_reflected;
            adj_z = 2.0f * nl * adj_reflected;
            adj_lz_sum = -adj_reflected;
        }
        float adj_y = 0.0f;
        float adj_x = 0.0f;

        // 16:  float nl = dot3(x, y, z, lx, ly, lz)
        dot3_adj(x, &adj_x, y, &adj_y, z, &adj_z, lx, &adj_lx_sum, ly, &adj_ly_sum, lz, &adj_lz_sum,
                 adj_nl);

        // 15:  z = nz[i] * inv
        adj_nz[i] += inv * adj_z;
        float adj_inv = nz[i] * adj_z;

        // 15:  y = ny[i] * inv
        adj_ny[i] += inv * adj_y;
        adj_inv += ny[i] * adj_y;

        // 15:  float x = nx[i] * inv
        adj_nx[i] += inv * adj_x;
        adj_inv += nx[i] * adj_x;

        // 14:  float inv = rsqrtf(dot3(nx[i], ny[i], nz[i], nx[i], ny[i], nz[i]))
        float adj_ax = 0.0f;
        float adj_ay = 0.0f;
        float adj_az = 0.0f;
        float adj_bx = 0.0f;
        float adj_by = 0.0f;
        float adj_bz = 0.0f;
        dot3_adj(nx[i], &adj_ax, ny[i], &adj_ay, nz[i], &adj_az, nx[i], &adj_bx, ny[i], &adj_by,
                 nz[i], &adj_bz, -(0.5f * inv * inv * inv * adj_inv));
        adj_nx[i] += adj_ax + adj_bx;
        adj_ny[i] += adj_ay + adj_by;
        adj_nz[i] += adj_az + adj_bz;
    }
    block_add(adj_shininess, adj_shininess_sum);
    block_add(adj_lx, adj_lx_sum);
    block_add(adj_ly, adj_ly_sum);
    block_add(adj_lz, adj_lz_sum);
}
