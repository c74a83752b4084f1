// channels_last_adj: adjoint of channels_last (channels_last.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform channels_last.cu --of y --wrt x,y
//
// Call with y and x as they were before channels_last. adj_y comes in as dJ/dy after
// channels_last and goes out as dJ/dy before it, element by element. dJ/dx is added to
// adj_x. y is only read.
//
// What the reverse sweep needs, and where it finds it:
//   y[..]   reloaded   no later store goes to it
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_y[..]   atomicAdd       whoever stores an element may not be its only thread
//   adj_y[..]   exchanged       no proof that only one thread stores an element; one
//                               takes its adjoint
//
// Assumed: the launch is 1-D, no two threads store different values in one y[o], arrays
// don't overlap, no index wraps.

__global__ void channels_last_adj(float *y, float *adj_y,
                                  const float *x, float *adj_x, int C, int H, int W, int n)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= n)
        return;
    int w = g % W;
    int h = g / W % H;
    int c = g / (W * H) % C;
    int b = g / (W * H * C);
    int o = ((b * H + h) * W + w) * C + c;
    if (x[g] < 0.0f) {
        // 14:  y[o] = 0.0f
        adj_y[o] = 0.0f;
    }

    // 12:  y[o] = sinf(y[o]) * x[g]
    float g_2 = atomicExch(&adj_y[o], 0.0f);
    adj_x[g] += sinf(y[o]) * g_2;
    atomicAdd(&adj_y[o], x[g] * cosf(y[o]) * g_2);
}
