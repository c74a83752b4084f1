// respond_adj: adjoint of respond (policy_members.cu:29).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform policy_members.cu --of y --wrt x --template Law=Cubic
//
// Call with x as it was before respond. Seed adj_y with dJ/dy: it is left alone,
// because respond stores each element of y at most once. dJ/dx is added to adj_x. y is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   a       recomputed   from values at hand, in the reversed iteration
//   x[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// Of the template respond this is the instance with Law = Cubic.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

static __device__ float damped_Cubic_adj(float a, float adj_damped_Cubic)
{
    float result;
    float b = a * a * a;
    result = b / (1 + 3 * b * b);

    // 25:  return b / (1 + Law::order * b * b)
    float g = adj_damped_Cubic / (1 + 3 * b * b);
    // 24:  Law::scalar b = Law::apply(a)
    return 3.0f * a * a * (g - 2.0f * result * 3 * b * g);
}

extern "C" __global__ void respond_adj(const float *x, float *adj_x,
                                       float *y, const float *adj_y, int n)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (first + 4 > n)
        return;
    for (int k = 0; k < 4; ++k) {
        float a = x[first + k];

        // 37:  y[first + k] = v - damped<Law>(x[first + k])
        float g = adj_y[first + k];
        adj_x[first + k] += damped_Cubic_adj(x[first + k], -g);

        // 36:  x[first + k]
        adj_x[first + k] += 3.0f * a * a * 3 * g;
    }
}
