// enabled_adj: adjoint of enabled (enabled.cu:39).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform enabled.cu --of y --wrt x,p,q --template T=float
//
// Call with x, p and q as they were before enabled. Seed adj_y with dJ/dy: it is left
// alone, because enabled stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dp is added to adj_p; dJ/dq is added to adj_q. y is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   p[..].x, p[..].y, x[..],   reloaded   nothing stores to it
//   q[..].x, q[..].y,
//   q[..].z
//
// How adjoints are added up:
//   adj_x[..]     +=, one owner   one thread per element
//   adj_p[..].x   +=, one owner   one thread per element
//   adj_p[..].y   +=, one owner   one thread per element
//   adj_q[..].x   +=, one owner   one thread per element
//   adj_q[..].y   +=, one owner   one thread per element
//   adj_q[..].z   +=, one owner   one thread per element
//
// Of the template enabled this is the instance with T = float.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

static __device__ float softened_adj_1(float a, float adj_softened)
{
    // 29:  return a / (T(1) + a * a)
    float g = adj_softened / ((float)1 + a * a);
    return g - 2.0f * a / ((float)1 + a * a) * a * g;
}

static __device__ float softened(float a)
{
    return a / ((float)1 + a * a);
}

static __device__ float softened(int a)
{
    return 1.0f / (1 + a);
}

extern "C" __global__ void enabled_adj(const float *x, float *adj_x,
                                       const float2 *p, float2 *adj_p,
                                       const float3 *q, float3 *adj_q,
                                       float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // 35:  y[i] = v
        float adj_v = adj_y[i];

        // 43:  store(y, i, softened(x[i]) * dot(p[i], p[i]) + softened(n) * dot(q[i], q[i]))
        adj_x[i] += softened_adj_1(x[i], (p[i].x * p[i].x + p[i].y * p[i].y) * adj_v);
        float g = softened(x[i]) * adj_v;
        adj_p[i].x += 2.0f * p[i].x * g;
        adj_p[i].y += 2.0f * p[i].y * g;
        float g_2 = softened(n) * adj_v;
        adj_q[i].x += 2.0f * q[i].x * g_2;
        adj_q[i].y += 2.0f * q[i].y * g_2;
        adj_q[i].z += 2.0f * q[i].z * g_2;
    }
}
