// s2sad: --of y --wrt x
// A tree is walked with a stack too large for snapshots: K_measure stores to nothing of the caller's.
extern "C" __global__ void measured_stack(const float *__restrict__ x, const int *__restrict__ left,
                                          const int *__restrict__ right, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int stack[128];
    int top = 0;
    stack[top++] = i % 3;
    float s = x[i];
    while (top > 0) {
        int node = stack[--top];
        s = s * sinf(x[node]) + x[node];
        if (left[node] > node)
            stack[top++] = left[node];
        if (right[node] > node)
            stack[top++] = right[node];
    }
    y[i] = s;
}
