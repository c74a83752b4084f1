// diffuse_covered_adj: adjoint of diffuse_covered (diffuse_covered.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform diffuse_covered.cu --of v --wrt u,rate --assume covers:n
//
// Call with u and rate as they were before diffuse_covered. Seed adj_v with dJ/dv: it
// is left alone, because diffuse_covered stores each element of v at most once. dJ/du
// is added to adj_u; dJ/drate is added to adj_rate. v is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   c, spread   reloaded   still in its variable
//   rate[..]    reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_u[..]      +=, gathered    each thread collects what others owe to its element
//                                  of u; the launch covers n
//   adj_rate[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, covers:n.

extern "C" __global__ void diffuse_covered_adj(const float *__restrict__ u,
                                               float *__restrict__ adj_u,
                                               const float *__restrict__ rate,
                                               float *__restrict__ adj_rate,
                                               float *__restrict__ v,
                                               const float *__restrict__ adj_v, int n)
{
    // For a launch that covers n, as it was declared; any other gets NaN.
    if (gridDim.x * blockDim.x < n) {
        adj_u[0] = nanf("");
        adj_rate[0] = nanf("");
        return;
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // what the threads around this one owe to its element of u
    float adj_u_sum = 0.0f;

    // 12:  float spread = u[i - 2] + u[i - 1] - 4.0f * c + u[i + 1] + u[i + 2]
    if (i + 2 < n) {
        float c = u[i + 2];
        if (i + 2 >= 2 && i + 4 < n) {
            float spread = u[i] + u[i + 1] - 4.0f * c + u[i + 3] + u[i + 4];
            adj_u_sum += 2.0f * rate[i + 2] * spread * adj_v[i + 2];
        }
    }
    if (i + 1 < n) {
        float c = u[i + 1];
        if (i + 1 >= 2 && i + 3 < n) {
            float spread = u[i - 1] + u[i] - 4.0f * c + u[i + 2] + u[i + 3];
            adj_u_sum += 2.0f * rate[i + 1] * spread * adj_v[i + 1];
        }
    }
    if (i >= 1 && i - 1 < n) {
        float c = u[i - 1];
        if (i - 1 >= 2 && i + 1 < n) {
            float spread = u[i - 3] + u[i - 2] - 4.0f * c + u[i] + u[i + 1];
            adj_u_sum += 2.0f * rate[i - 1] * spread * adj_v[i - 1];
        }
    }
    if (i >= 2 && i - 2 < n) {
        float c = u[i - 2];
        if (i - 2 >= 2 && i < n) {
            float spread = u[i - 4] + u[i - 3] - 4.0f * c + u[i - 1] + u[i];
            adj_u_sum += 2.0f * rate[i - 2] * spread * adj_v[i - 2];
        }
    }
    // an element to which nobody owes anything needn't exist
    if (adj_u_sum != 0.0f)
        adj_u[i] += adj_u_sum;
    if (i >= n)
        return;
    float c = u[i];

    // 15:  v[i] = f
    float adj_f = adj_v[i];
    float adj_c = 0.0f;
    if (i >= 2 && i + 2 < n) {
        float spread = u[i - 2] + u[i - 1] - 4.0f * c + u[i + 1] + u[i + 2];
        // 13:  f += rate[i] * spread * spread
        adj_rate[i] += spread * spread * adj_f;
        // 12:  float spread = u[i - 2] + u[i - 1] - 4.0f * c + u[i + 1] + u[i + 2]
        adj_c = -(4.0f * 2.0f * rate[i] * spread * adj_f);
    }

    // 10:  float f = sinf(c)
    adj_c += cosf(c) * adj_f;
    // 9:  float c = u[i]
    adj_u[i] += adj_c;
}
