// phases_adj: adjoint of phases (warp_phases.cu:2).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_phases.cu --of y,z --wrt x
//
// Call with x as it was before phases. Seed adj_y with dJ/dy: it is left alone, because
// phases stores each element of y at most once. adj_z comes in as dJ/dz after phases
// and goes out as dJ/dz before it, element by element. dJ/dx is added to adj_x. y and z
// are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v               reloaded                   still in its variable
//   s[..]           reloaded                   no later store goes to it
//   a (line 19)     tape_a[3], registers       line 23 changes it in each iteration
//   first[t / 32]   tape_first[3], registers   line 21 overwrites it
//   a (line 23)     recomputed                 from values at hand, in the reversed
//                                              iteration
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner   one thread per element
//   adj_s[..]       +=, by phase    between two barriers one thread per element
//   adj_first[..]   atomicAdd       whoever stores an element may not be its only
//                                   thread
//   adj_first[..]   exchanged       no proof that only one thread stores an element;
//                                   one takes its adjoint
//
// Assumed: the launch is 1-D, no two threads store different values in one first[t /
// 32], arrays don't overlap, no index wraps.

extern "C" __global__ void phases_adj(const float *x, float *adj_x,
                                      float *y, const float *adj_y,
                                      float *z, float *adj_z, int n)
{
    __shared__ float s[64];
    __shared__ float adj_s[64];
    __shared__ float first[2];
    __shared__ float adj_first[2];
    for (int q = threadIdx.x; q < 64; q += blockDim.x)
        adj_s[q] = 0.0f;
    for (int q = threadIdx.x; q < 2; q += blockDim.x)
        adj_first[q] = 0.0f;
    __syncthreads();

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;
    float v = i < n ? x[i] : 0.0f;
    s[t] = sinf(v);
    __syncwarp();
    if (lane < 31)
        s[t + 1] = v * 0.5f;
    __syncwarp();
    float a = s[t] * s[t];
    float tape_first[3];
    float tape_a[3];
    for (int d = 0; d < 3; ++d) {
        tape_a[d] = a;
        if (lane == d)
            first[t / 32] = a * v;
        __syncwarp();
        tape_first[d] = first[t / 32];
        a += first[t / 32] * v;
        __syncwarp();
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_a = 0.0f;
    if (i < n) {
        // 33:  y[i] = a
        adj_a = adj_y[i];
    }
    float adj_v = 0.0f;
    for (int d = 2; d >= 0; --d) {
        float a = tape_a[d];
        if (lane == d && i + 1 < n) {
            // 29:  z[i + 1] = a * a
            adj_a += 2.0f * (a + tape_first[d] * v) * adj_z[i + 1];
            adj_z[i + 1] = 0.0f;
        }
        __syncwarp();
        if (lane == d + 1 && i < n) {
            // 26:  z[i] = a
            adj_a += adj_z[i];
            adj_z[i] = 0.0f;
        }

        // 23:  a += first[t / 32] * v
        atomicAdd(&adj_first[t / 32], v * adj_a);
        adj_v += tape_first[d] * adj_a;
        __syncwarp();
        if (lane == d) {
            // 21:  first[t / 32] = a * v
            float g = atomicExch(&adj_first[t / 32], 0.0f);
            adj_a += v * g;
            adj_v += a * g;
        }
    }

    // 18:  float a = s[t] * s[t]
    adj_s[t] += 2.0f * s[t] * adj_a;
    __syncwarp();
    if (lane < 31) {
        // 15:  s[t + 1] = v * 0.5f
        adj_v += 0.5f * adj_s[t + 1];
        adj_s[t + 1] = 0.0f;
        if (i + 1 < n) {
            // 14:  z[i + 1] = v * 3.0f
            adj_v += 3.0f * adj_z[i + 1];
            adj_z[i + 1] = 0.0f;
        }
    }
    __syncwarp();

    // 10:  s[t] = sinf(v)
    adj_v += cosf(v) * adj_s[t];
    if (i < n) {
        // 9:  z[i] = v * v
        adj_v += 2.0f * v * adj_z[i];
        adj_z[i] = 0.0f;
    }

    // 7:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
