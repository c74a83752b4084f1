// [dcl.pre]: what is asserted of the text as it stands needn't hold of the text with `float` as `double`.
static_assert(sizeof(float) == 4, "four bytes (as ever)");
extern "C" __global__ void static_assertion_of_a_size(const float *x, const int *m, float *y, int n)
{
    static_assert(sizeof(float) <= sizeof(int));
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i] * (m[i] & 3);
}
