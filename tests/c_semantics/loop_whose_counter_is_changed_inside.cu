// [stmt.for]: the counter is a variable like any other.
extern "C" __global__ void loop_whose_counter_is_changed_inside(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < 9; ++k) {
        s = sinf(s) * x[k] + s;
        if (m[k] & 1)
            k += 2;
        s *= x[k];
    }
    int end = 6;
    for (int k = 0; k < end; ++k) {
        s = s * x[k] + 0.2f * s * s;
        if (m[k] > 5)
            --end;
    }
    y[i] = s * x[end];
}
