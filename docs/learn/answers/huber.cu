// Exercise huber: a branch; only the side that ran has an adjoint.
// The loss grows like a square near zero and like a line far from it.
// When you are done: s2sad lesson check huber.cu

extern "C" __global__ void huber(const float *x, const float *target, float *loss, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r = x[i] - target[i];
        if (fabsf(r) < 1.0f)
            loss[i] = 0.5f * r * r;
        else
            loss[i] = fabsf(r) - 0.5f;
    }
}

extern "C" __global__ void huber_adj(const float *x, float *adj_x, const float *target, float *adj_target,
                                     float *loss, const float *adj_loss, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r = x[i] - target[i];
        float adj_r = 0.0f;
        // GAP 1: the adjoint of lines 10 to 13: the same condition, and adj_r on each side
        if (fabsf(r) < 1.0f)
            adj_r += r * adj_loss[i];
        else
            adj_r += (r > 0.0f ? 1.0f : -1.0f) * adj_loss[i];
        // END
        // GAP 2: the adjoint of line 9, r = x[i] - target[i]
        adj_x[i] += adj_r;
        adj_target[i] -= adj_r;
        // END
    }
}
