// pcr_adj: adjoint of pcr (cyclic_reduction.cu:6).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform cyclic_reduction.cu --of x --wrt lower,diag,upper,rhs
//
// Call with lower, diag, upper and rhs as they were before pcr. Seed adj_x with dJ/dx:
// it is left alone, because pcr stores each element of x at most once. dJ/dlower is
// added to adj_lower; dJ/ddiag is added to adj_diag; dJ/dupper is added to adj_upper;
// dJ/drhs is added to adj_rhs. x is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   stride                     inverted                 each iteration multiplies it
//                                                       with 2
//   trips of line 20           trips, a register        the loop decides in its
//                                                       iterations when it ends
//   b[i - stride]              tape_b[5], registers     line 36 overwrites it
//   a[i]                       tape_a_3[5], registers   line 35 overwrites it
//   k (line 23), k (line 29)   recomputed               from values at hand, in the
//                                                       reversed iteration
//   a[i - stride]              tape_a[5], registers     line 35 overwrites it
//   c[i - stride]              tape_c[5], registers     line 37 overwrites it
//   d[i - stride]              tape_d[5], registers     line 38 overwrites it
//   b[i + stride]              tape_b_2[5], registers   line 36 overwrites it
//   c[i]                       tape_c_3[5], registers   line 37 overwrites it
//   a[i + stride]              tape_a_2[5], registers   line 35 overwrites it
//   c[i + stride]              tape_c_2[5], registers   line 37 overwrites it
//   d[i + stride]              tape_d_2[5], registers   line 38 overwrites it
//   b[..], d[..]               reloaded                 no later store goes to it
//
// How adjoints are added up:
//   adj_lower[..]   +=, one owner   one thread per element
//   adj_diag[..]    +=, one owner   one thread per element
//   adj_upper[..]   +=, one owner   one thread per element
//   adj_rhs[..]     +=, one owner   one thread per element
//   adj_a[..]       +=, by phase    each place hits an element once per block, with
//                                   barriers between them
//   adj_b[..]       +=, by phase    each place hits an element once per block, with
//                                   barriers between them
//   adj_b[..]       +=, by phase    between two barriers one thread per element
//   adj_c[..]       +=, by phase    each place hits an element once per block, with
//                                   barriers between them
//   adj_d[..]       +=, by phase    each place hits an element once per block, with
//                                   barriers between them
//   adj_d[..]       +=, by phase    between two barriers one thread per element
//
// Of the template pcr this is the instance with N = 32.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void pcr_adj(const float *__restrict__ lower, float *__restrict__ adj_lower,
                                   const float *__restrict__ diag, float *__restrict__ adj_diag,
                                   const float *__restrict__ upper, float *__restrict__ adj_upper,
                                   const float *__restrict__ rhs, float *__restrict__ adj_rhs,
                                   float *__restrict__ x, const float *__restrict__ adj_x)
{
    __shared__ float a[32];
    __shared__ float adj_a[32];
    __shared__ float b[32];
    __shared__ float adj_b[32];
    __shared__ float c[32];
    __shared__ float adj_c[32];
    __shared__ float d[32];
    __shared__ float adj_d[32];
    for (int q = threadIdx.x; q < 32; q += blockDim.x)
        adj_a[q] = 0.0f;
    for (int q = threadIdx.x; q < 32; q += blockDim.x)
        adj_b[q] = 0.0f;
    for (int q = threadIdx.x; q < 32; q += blockDim.x)
        adj_c[q] = 0.0f;
    for (int q = threadIdx.x; q < 32; q += blockDim.x)
        adj_d[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    const int i = threadIdx.x;
    const int row = blockIdx.x * 32 + i;

    a[i] = i > 0 ? lower[row] : 0.0f;
    b[i] = diag[row];
    c[i] = i < 31 ? upper[row] : 0.0f;
    d[i] = rhs[row];
    __syncthreads();

    float tape_b[5];
    float tape_a[5];
    float tape_c[5];
    float tape_d[5];
    float tape_b_2[5];
    float tape_a_2[5];
    float tape_c_2[5];
    float tape_d_2[5];
    float tape_c_3[5];
    float tape_a_3[5];
    int trips = 0;
    // Each step couples a row to the rows twice as far away.
    for (int stride = 1; stride < 32; stride *= 2) {
        float an = 0.0f;
        float bn = b[i];
        float cn = 0.0f;
        float dn = d[i];
        if (i >= stride) {
            tape_b[trips] = b[i - stride];
            tape_a_3[trips] = a[i];
            const float k = a[i] / b[i - stride];
            tape_a[trips] = a[i - stride];
            an = -k * a[i - stride];
            tape_c[trips] = c[i - stride];
            bn -= k * c[i - stride];
            tape_d[trips] = d[i - stride];
            dn -= k * d[i - stride];
        }
        if (i + stride < 32) {
            tape_b_2[trips] = b[i + stride];
            tape_c_3[trips] = c[i];
            const float k = c[i] / b[i + stride];
            tape_a_2[trips] = a[i + stride];
            bn -= k * a[i + stride];
            tape_c_2[trips] = c[i + stride];
            cn = -k * c[i + stride];
            tape_d_2[trips] = d[i + stride];
            dn -= k * d[i + stride];
        }
        __syncthreads();
        a[i] = an;
        b[i] = bn;
        c[i] = cn;
        d[i] = dn;
        __syncthreads();
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 41:  x[row] = d[i] / b[i]
    float g = adj_x[row] / b[i];
    adj_d[i] += g;
    adj_b[i] -= d[i] / b[i] * g;
    for (int trip = trips - 1; trip >= 0; --trip) {
        int stride = 1 << trip;

        // 38:  d[i] = dn
        float adj_dn = adj_d[i];
        adj_d[i] = 0.0f;

        // 37:  c[i] = cn
        float adj_cn = adj_c[i];
        adj_c[i] = 0.0f;

        // 36:  b[i] = bn
        float adj_bn = adj_b[i];
        adj_b[i] = 0.0f;

        // 35:  a[i] = an
        float adj_an = adj_a[i];
        adj_a[i] = 0.0f;
        __syncthreads();
        float k;
        float g;
        if (i + stride < 32) {
            k = tape_c_3[trip] / tape_b_2[trip];

            // 32:  dn -= k * d[i + stride]
            float adj_k = -(tape_d_2[trip] * adj_dn);
            adj_d[i + stride] -= k * adj_dn;

            // 31:  cn = -k * c[i + stride]
            adj_k -= tape_c_2[trip] * adj_cn;
            adj_c[i + stride] -= k * adj_cn;

            // 30:  bn -= k * a[i + stride]
            adj_k -= tape_a_2[trip] * adj_bn;
            adj_a[i + stride] -= k * adj_bn;

            // 29:  const float k = c[i] / b[i + stride]
            g = adj_k / tape_b_2[trip];
        }
        __syncthreads();
        if (i + stride < 32) {
            adj_c[i] += g;
            adj_b[i + stride] -= k * g;
        }
        float k_2;
        float adj_k;
        if (i >= stride) {
            k_2 = tape_a_3[trip] / tape_b[trip];

            // 26:  dn -= k * d[i - stride]
            adj_k = -(tape_d[trip] * adj_dn);
            adj_d[i - stride] -= k_2 * adj_dn;

            // 25:  bn -= k * c[i - stride]
            adj_k -= tape_c[trip] * adj_bn;
        }
        __syncthreads();
        float g_2;
        if (i >= stride) {
            adj_c[i - stride] -= k_2 * adj_bn;

            // 24:  an = -k * a[i - stride]
            adj_k -= tape_a[trip] * adj_an;
            adj_a[i - stride] -= k_2 * adj_an;

            // 23:  const float k = a[i] / b[i - stride]
            g_2 = adj_k / tape_b[trip];
        }
        __syncthreads();
        if (i >= stride) {
            adj_a[i] += g_2;
            adj_b[i - stride] -= k_2 * g_2;
        }

        // 21:  dn = d[i]
        adj_d[i] += adj_dn;
        __syncthreads();

        // 21:  bn = b[i]
        adj_b[i] += adj_bn;
    }

    // 16:  d[i] = rhs[row]
    adj_rhs[row] += adj_d[i];
    // 15:  c[i] = i < N - 1 ? upper[row] : 0.0f
    if (i < 31)
        adj_upper[row] += adj_c[i];
    // 14:  b[i] = diag[row]
    adj_diag[row] += adj_b[i];
    // 13:  a[i] = i > 0 ? lower[row] : 0.0f
    if (i > 0)
        adj_lower[row] += adj_a[i];
}
