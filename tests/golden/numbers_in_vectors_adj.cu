// numbers_in_vectors_adj: adjoint of numbers_in_vectors (numbers_in_vectors.cu:6).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform numbers_in_vectors.cu --of y --wrt z,h,y
//
// Call with z, h and y as they were before numbers_in_vectors. adj_y comes in as dJ/dy
// after numbers_in_vectors and goes out as dJ/dy before it, element by element. dJ/dz
// is added to adj_z; dJ/dh is added to adj_h. y is only read.
//
// What the reverse sweep needs, and where it finds it:
//   w.x, w.y   reloaded                   still in its variable
//   z[..]      reloaded                   nothing stores to it
//   out.w      tape_out_w[4], registers   line 19 changes it in each iteration
//   walk_at2   inverted                   each iteration adds 1
//
// How adjoints are added up:
//   adj_h[..].x   +=, one owner   one thread per element
//   adj_h[..].y   +=, one owner   one thread per element
//   adj_y[..]     +=, one owner   one thread per element
//   adj_z[..]     atomicAdd       not proved that two threads never meet in parts[4 *
//                                 i], pair[0], pair[1], parts[4 * i + 1] and others
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void numbers_in_vectors_adj(const float2 *__restrict__ z, float2 *adj_z,
                                       const float2 *h, float2 *adj_h,
                                       float2 *y, float2 *adj_y, int n)
{
    const float *z_numbers = (const float *)z;
    float *adj_z_numbers = (float *)adj_z;
    float *y_numbers = (float *)y;
    float *adj_y_numbers = (float *)adj_y;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float2 w = h[i];
        float4 out;
        out.w = y_numbers[(long)i * 4 + 3];
        const long z_at = (long)i * 2;
        const long walk_at = (long)(2 * i) * 2;
        long walk_at2 = 0;
        float tape_out_w[4];
        for (int k = 0; k < 4; k++) {
            tape_out_w[k] = out.w;
            out.w *= z_numbers[walk_at + walk_at2];
            walk_at2++;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 21:  z[2 * i + 1]
        float adj_z_sum = adj_y_numbers[(long)(2 * i) * 2 + 1];

        // 20:  twice[i] = out
        float4 adj_out;
        adj_out.w = adj_y_numbers[(long)i * 4 + 3];
        adj_y_numbers[(long)i * 4 + 3] = 0.0f;
        adj_out.z = adj_y_numbers[(long)i * 4 + 2];
        adj_y_numbers[(long)i * 4 + 2] = 0.0f;
        adj_out.y = adj_y_numbers[(long)i * 4 + 1];
        adj_y_numbers[(long)i * 4 + 1] = 0.0f;
        adj_out.x = adj_y_numbers[(long)i * 4];
        adj_y_numbers[(long)i * 4] = 0.0f;
        for (int k = 3; k >= 0; --k) {
            float out_w = tape_out_w[k];

            // 19:  out.w *= *walk++
            atomicAdd(&adj_z_numbers[walk_at + k], out_w * adj_out.w);
            adj_out.w *= z_numbers[walk_at + k];
        }

        // 16:  out.z = z[2 * i + 1].x * z[2 * i].y
        atomicAdd(&adj_z_numbers[(long)(2 * i + 1) * 2],
                  adj_z_sum + z_numbers[(long)(2 * i) * 2 + 1] * adj_out.z);
        atomicAdd(&adj_z_numbers[(long)(2 * i) * 2 + 1],
                  z_numbers[(long)(2 * i + 1) * 2] * adj_out.z);

        // 15:  out.y = parts[4 * i + 1] * w.y + spread((float *)(z + i))
        atomicAdd(&adj_z_numbers[4 * i + 1], w.y * adj_out.y);

        // 15:  spread((float *)(z + i))
        atomicAdd(&adj_z_numbers[z_at], z_numbers[z_at + 1] * adj_out.y);
        atomicAdd(&adj_z_numbers[z_at + 1], z_numbers[z_at] * adj_out.y);

        // 14:  out.x += parts[4 * i] * w.x
        atomicAdd(&adj_z_numbers[4 * i], w.x * adj_out.x);

        // 13:  float4 out = twice[i]
        adj_y_numbers[(long)i * 4 + 3] += adj_out.w;
        adj_y_numbers[(long)i * 4] += adj_out.x;

        // 12:  float2 w = h[i]
        adj_h[i].x += z_numbers[4 * i] * adj_out.x;
        adj_h[i].y += z_numbers[4 * i + 1] * adj_out.y;
    }
}
