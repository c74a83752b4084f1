// A stack popped and pushed in a switch, emptied by a loop over its height.
static __device__ inline void textbook_expression_by_a_stack_part0(float *v, float &acc, float alpha, int q, int len)
{
    float stack[4 + 1];
    int top = 0;
    for (int j_next = 0; j_next < len;) {
        int j = j_next++;
        stack[top++] = v[j];
        if (top < 2) continue;
        switch ((q + j) % 4) {
            case 0: stack[top - 2] += stack[top - 1];
            --top;
            break;
            case 1: stack[top - 2] *= 0.7f * stack[top - 1];
            --top;
            break;
            case 2: stack[top - 1] = sinf(stack[top - 1]);
            default: break;
        }
    }
    while (top > 0) {
        acc += stack[--top] * 0.5f;
    }
}

extern "C" __global__ void textbook_expression_by_a_stack(const float *x, float *y, const int *idx, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v[4];
    int q = idx[i];
    int len = 4;
    float acc = 0.1f * alpha;
    for (int k = 0; k < 4; ++k) {
        v[k] = x[i * 4 + k];
    }
    textbook_expression_by_a_stack_part0(v, acc, alpha, q, len);
    float out = 0.3f * acc;
    for (int k = 0; k < 4; ++k) {
        out += (0.2f + 0.1f * k) * v[k];
    }
    y[i] = out;
}
//--
// kernel = "textbook_expression_by_a_stack"
// of = ["y"]
// wrt = ["x", "alpha"]
// [launch]
// grid = 2
// block = 4
// [args]
// x = {shape="4*n", fill="uniform(-1.6,1.6)"}
// y = {shape="n", fill="uniform(-1,1)"}
// idx = {shape="n", fill="randint(0,1000)"}
// alpha = 0.73
// n = 6
