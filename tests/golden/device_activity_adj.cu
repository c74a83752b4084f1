// device_activity_adj: adjoint of device_activity (device_activity.cu:9).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform device_activity.cu --of y --wrt x
//
// Call with x and fixed as they were before device_activity. Seed adj_y with dJ/dy: it
// is left alone, because device_activity stores each element of y at most once. dJ/dx
// is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   constant, first, second   reloaded   still in its variable
//   x[..]                     reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

static __device__ float mix(float a, float b, int sharp)
{
    float m = a * b;
    return sharp ? m * m : m + a / (1.0f + b * b);
}

static __device__ void mix_adj(float a, float *adj_a,
                               float b, float *adj_b, int sharp, float adj_mix)
{
    float m = a * b;
    float adj_m;

    // 6:  return sharp ? m * m : m + a / (1.0f + b * b)
    if (sharp) {
        adj_m = 2.0f * m * adj_mix;
    } else {
        adj_m = adj_mix;
        float g = adj_mix / (1.0f + b * b);
        *adj_a += g;
        *adj_b -= 2.0f * (a / (1.0f + b * b)) * b * g;
    }

    // 5:  float m = a * b
    *adj_a += b * adj_m;
    *adj_b += a * adj_m;
}

static __device__ float mix_adj_a(float a, float b, int sharp, float adj_mix)
{
    float m = a * b;
    float adj_a = 0.0f;
    float adj_m;

    // 6:  return sharp ? m * m : m + a / (1.0f + b * b)
    if (sharp) {
        adj_m = 2.0f * m * adj_mix;
    } else {
        adj_m = adj_mix;
        adj_a = adj_mix / (1.0f + b * b);
    }

    // 5:  float m = a * b
    adj_a += b * adj_m;
    return adj_a;
}

static __device__ float mix_adj_b(float a, float b, int sharp, float adj_mix)
{
    float m = a * b;
    float adj_b = 0.0f;
    float adj_m;

    // 6:  return sharp ? m * m : m + a / (1.0f + b * b)
    if (sharp) {
        adj_m = 2.0f * m * adj_mix;
    } else {
        adj_m = adj_mix;
        adj_b = -(2.0f * a * b * adj_mix / (1.0f + b * b) / (1.0f + b * b));
    }

    // 5:  float m = a * b
    adj_b += a * adj_m;
    return adj_b;
}

extern "C" __global__ void device_activity_adj(const float *x, float *adj_x, const float *fixed,
                                               float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float constant = mix(fixed[i], 2.0f, 1);
    float first = mix(x[i], constant, 0);
    float second = mix(constant, x[i], 1);
    float adj_second = 0.0f;
    float adj_first = 0.0f;

    // 17:  y[i] = mix(first, second, i & 1)
    mix_adj(first, &adj_first, second, &adj_second, i & 1, adj_y[i]);
    // 15:  float first = mix(x[i], constant, 0)
    adj_x[i] += mix_adj_a(x[i], constant, 0, adj_first);
    // 16:  float second = mix(constant, x[i], 1)
    adj_x[i] += mix_adj_b(constant, x[i], 1, adj_second);
}
