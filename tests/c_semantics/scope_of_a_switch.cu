// [stmt.switch]: a declaration in the head is seen in all cases.
extern "C" __global__ void scope_of_a_switch(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = 5;
    switch (int k = m[i] & 3) {
    case 0:
        s = sinf(s);
    case 1: {
        int k = 4;
        s *= x[k];
        break;
    }
    default:
        s *= x[k] * s;
    }
    y[i] = s * x[k];
}
